/** Starts the embedded services in the folder that is named, prints their URLs, and runs until it is killed. */
import { startEmbedded } from '../../src/embedded/embedded-services.js';

const progress = (line: string) => process.stderr.write(`${line}\n`);

const needs = { postgres: true, redis: true };
const services = await startEmbedded(needs, process.argv[2] ?? '', progress, { durable: false });
process.stdout.write(`${JSON.stringify(services)}\n`);
process.stdin.resume();
