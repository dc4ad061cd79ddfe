-- What servers share, whatever the namespace; see `access.py`.

CREATE TABLE api_keys (
    name TEXT COLLATE "C" PRIMARY KEY,
    sha256 TEXT COLLATE "C" NOT NULL UNIQUE,
    namespace TEXT COLLATE "C" NOT NULL,
    role TEXT COLLATE "C" NOT NULL CHECK (role IN ('asks', 'manages')),
    created TEXT COLLATE "C" NOT NULL
);

-- Not logged: no request waits for the disk, and after a crash of the server all count anew.
CREATE UNLOGGED TABLE rates (
    sender TEXT COLLATE "C" PRIMARY KEY,
    at DOUBLE PRECISION NOT NULL,
    hits BIGINT NOT NULL,
    earlier BIGINT NOT NULL,
    expires DOUBLE PRECISION NOT NULL
);
CREATE INDEX rates_by_time ON rates (expires);
