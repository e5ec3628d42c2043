/**
 * Walks through the README's first command as a new user does, after "npm ci": `node .ci/first-command.mjs` starts the
 * service, sends a message by the line that it prints, sees it read, and stops it by Ctrl-C. A second start still has
 * the message. After each stop nothing may be left but the data, which this removes: so it wants a fresh clone.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning } from '../scripts/is-running.mjs';

const DATA = resolve('.data');

/** Milliseconds that a start may take, with the build and the installation of Redis, and that a message may take. */
const START = 300_000;
const READ = 60_000;

if (existsSync(DATA)) throw new Error(`${DATA} is somebody's: run this in a fresh clone.`);
try {
  const { message_log_id: id } = await usingService('SIGINT', async (said) => {
    const { data } = JSON.parse(execFileSync('sh', ['-c', printedCurl(said)], { encoding: 'utf8' }));
    await untilRead(data.message_log_id);
    return data;
  });
  await usingService('SIGTERM', () => untilRead(id));
  say('The first command works.');
} finally {
  // After a fault the servers may still be ending.
  rmSync(DATA, { recursive: true, force: true, maxRetries: 10 });
}

/** Starts the service, gives `use` what it says, and ends it by the signal. */
async function usingService(signal, use) {
  // In a process group of its own, as a terminal does it: Ctrl-C is for all of it.
  const options = {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  };
  const npm = spawn('npm', ['start'], options);
  const ended = once(npm, 'exit');
  try {
    const result = await use(await welcome(npm));
    const { base_url, provider_url, database_url, redis_url } = facts();
    process.kill(signal === 'SIGINT' ? -npm.pid : npm.pid, signal);
    const [code] = await ended;
    if (code !== 0) throw new Error(`It ended with ${code} after ${signal}.`);
    await expectNothingLeft(npm.pid, [base_url, provider_url, database_url, redis_url]);
    return result;
  } finally {
    if (isRunning(-npm.pid)) process.kill(-npm.pid, 'SIGKILL');
  }
}

/** All that the service says until it is ready. */
async function welcome(npm) {
  let said = '';
  const isReady = new Promise((done) => {
    npm.stdout.on('data', (chunk) => {
      process.stdout.write(chunk);
      said += chunk;
      if (said.includes('Stop it with Ctrl-C')) done(true);
    });
  });
  const isLate = delay(START, false, { ref: false });
  const ended = once(npm, 'exit').then(() => false);
  if (!(await Promise.race([isReady, isLate, ended]))) throw new Error('"npm start" did not become ready.');
  return said;
}

function printedCurl(said) {
  const line = /^curl [^]*?(?=\n\n)/m.exec(said)?.[0];
  if (!line) throw new Error('It printed no curl line.');
  return line;
}

async function untilRead(id) {
  const { base_url, api_key } = facts();
  const url = `${base_url}/api/v1/messages/${id}`;
  for (const end = Date.now() + READ; ; await delay(100)) {
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${api_key}` } });
    const { data } = await answer.json();
    if (data?.status === 'read') return say(`Message ${id} is read.`);
    if (Date.now() > end) throw new Error(`Message ${id} is not read: ${answer.status}, ${data?.status}.`);
  }
}

/** No process of ours, and nobody who listens where the service and its servers did. */
async function expectNothingLeft(group, urls) {
  const isAnswering = await Promise.all(urls.map(answers));
  const left = [
    ...urls.filter((_, index) => isAnswering[index]),
    ...(isRunning(-group) ? [`processes of group ${group}`] : []),
    ...commandLines().filter((command) => command.includes(DATA)),
  ];
  if (left.length) throw new Error(`The service left these running: ${left.join('; ')}.`);
}

function answers(url) {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  return once(socket, 'connect').then(
    () => Boolean(socket.destroy()),
    () => false,
  );
}

/** Of all processes; none but on Linux. */
function commandLines() {
  const pids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return pids.flatMap((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return []; // it has ended meanwhile
    }
  });
}

function facts() {
  return JSON.parse(readFileSync(`${DATA}/sandbox.json`, 'utf8'));
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
