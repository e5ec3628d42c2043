import 'reflect-metadata';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { AppModule } from './app.module.js';
import { Config } from '../config/config.js';
import { buildDocument } from '../openapi/openapi.js';
import { postmanCollection } from '../openapi/postman-collection.js';

/** Writes openapi.json and its Postman collection from the controllers, without starting anything; with --check, fails when one is stale. */
async function main(): Promise<void> {
  const config = Object.assign(new Config(), { ROLE: 'api' });
  const source = new DataSource(dataSourceOptions(undefined));
  const app = await NestFactory.create(AppModule.forRole(config, source), {
    preview: true,
    logger: ['error'],
  });
  const document = buildDocument(app);
  const files = { 'openapi.json': document, 'docs/postman-collection.json': postmanCollection(document) };
  for (const [file, content] of Object.entries(files)) writeOrCheck(file, content);
}

function writeOrCheck(file: string, content: object): void {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${file} is stale: run "npm run openapi" and commit it.\n`);
    process.exitCode = 1;
  }
}

await main();
