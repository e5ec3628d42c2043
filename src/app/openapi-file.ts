import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { AppModule } from './app.module.js';
import { Config } from '../config/config.js';
import { buildDocument } from '../openapi/openapi.js';

const FILE = 'openapi.json';

/** Writes openapi.json from the controllers, without starting anything; with --check, fails when it is stale. */
async function main(): Promise<void> {
  const config = Object.assign(new Config(), { ROLE: 'api' });
  const source = new DataSource(dataSourceOptions(undefined));
  const app = await NestFactory.create(AppModule.forRole(config, source), {
    preview: true,
    logger: ['error'],
  });
  const text = `${JSON.stringify(buildDocument(app), null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(FILE, text);
  else if (readFileSync(FILE, 'utf8') !== text) {
    process.stderr.write(`${FILE} is stale: run "npm run openapi" and commit it.\n`);
    process.exitCode = 1;
  }
}

await main();
