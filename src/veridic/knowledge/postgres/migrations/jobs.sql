-- Beside Procrastinate's tables: what became of each file. Whoever names a namespace sees the jobs of its queue, which
-- has its name. A worker names `*`, which no namespace is called, and sees all jobs, and nothing of what is held.

CREATE TABLE job_outcomes (
    job_id BIGINT PRIMARY KEY REFERENCES procrastinate_jobs (id) ON DELETE CASCADE,
    namespace TEXT COLLATE "C" NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL,
    reason TEXT COLLATE "C" NOT NULL
);
CREATE INDEX jobs_by_state ON procrastinate_jobs (queue_name, status, id);

ALTER TABLE job_outcomes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_namespace ON job_outcomes USING (current_setting('veridic.namespace', true) IN (namespace, '*'));

ALTER TABLE procrastinate_jobs ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_namespace ON procrastinate_jobs
    USING (current_setting('veridic.namespace', true) IN (queue_name, '*'));

ALTER TABLE procrastinate_events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_namespace ON procrastinate_events
    USING (EXISTS (SELECT 1 FROM procrastinate_jobs WHERE procrastinate_jobs.id = job_id));
