/** The health check of the container: exits with 0 while the process inside can do its work. */
const { METRICS_PORT, PORT } = process.env;
const url = `http://127.0.0.1:${METRICS_PORT || PORT || 3000}/health/ready`;

/** Milliseconds; less than the timeout of the Dockerfile's HEALTHCHECK. */
const PATIENCE = 4_000;

try {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) });
  process.stdout.write(`${url} answers ${status}\n`);
  process.exitCode = status === 200 ? 0 : 1;
} catch (error) {
  process.stdout.write(`${url}: ${error.cause?.message ?? error.message}\n`);
  process.exitCode = 1;
}
