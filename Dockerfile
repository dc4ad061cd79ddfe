# `veridic serve` in a container: no key and no licence of anybody, all state in /data, not root.
# docker build --build-arg EXTRAS=postgres,base . installs the base judge, too.
FROM python:3.12-slim AS built
WORKDIR /src
ARG EXTRAS=postgres
COPY pyproject.toml README.md LICENSE ./
COPY src src
COPY judge-base judge-base
RUN python -m venv /app \
    && /app/bin/pip wheel --no-cache-dir --no-deps --wheel-dir /wheels ./judge-base \
    && /app/bin/pip install --no-cache-dir --find-links /wheels ".[${EXTRAS}]"

FROM python:3.12-slim
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin veridic \
    && install --directory --owner veridic --group veridic /data
COPY --from=built /app /app
ENV PATH=/app/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    OMP_WAIT_POLICY=PASSIVE \
    ORT_DISABLE_TELEMETRY=1 \
    HF_HUB_DISABLE_TELEMETRY=1 \
    VERIDIC_KB=/data/knowledge.sqlite \
    VERIDIC_API_KEYS=/data/keys.json \
    VERIDIC_CACHE=/data/cache
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8765
HEALTHCHECK --start-period=30s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8765/veridic/health', timeout=3)"]
CMD ["veridic", "serve", "--host", "0.0.0.0", "--port", "8765"]
