import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** The bytes that a first visit may load, gzipped: the entry, its static imports, and their styles. */
const FIRST_LOAD_LIMIT = 300 * 1024;

/** Fails the build when the first load has grown beyond its limit; a page's own code belongs in its lazy chunk. */
const firstLoadLimit: Plugin = {
  name: 'first-load-limit',
  generateBundle(_options, bundle) {
    const loaded = new Set<string>();
    const load = (name: string) => {
      const output = bundle[name];
      if (!output || loaded.has(name)) return;
      loaded.add(name);
      if (output.type === 'chunk') output.imports.forEach(load);
    };
    for (const output of Object.values(bundle)) {
      const isFirst = output.type === 'chunk' ? output.isEntry : output.fileName.endsWith('.css');
      if (isFirst) load(output.fileName);
    }
    const bytes = [...loaded].reduce((sum, name) => sum + gzippedSize(bundle[name]), 0);
    if (bytes > FIRST_LOAD_LIMIT) {
      this.error(`The first load has ${bytes} bytes gzipped, more than ${FIRST_LOAD_LIMIT}.`);
    }
    this.info(`first load: ${Math.ceil(bytes / 1024)} KiB gzipped`);
  },
};

type Output = Parameters<Extract<Plugin['generateBundle'], (...args: never[]) => unknown>>[1][string];

function gzippedSize(output: Output | undefined): number {
  if (!output) return 0;
  return gzipSync(output.type === 'chunk' ? output.code : output.source).length;
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [firstLoadLimit],
  // The page's Content-Security-Policy allows data: URLs for images only.
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    sourcemap: false,
    // One file of styles: a lazy part whose script has come without its styles would stay without them.
    cssCodeSplit: false,
    // The limit above is the one that counts.
    chunkSizeWarningLimit: Infinity,
    // 'use client' is for frameworks that render on the server; a thousand modules have it.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  server: { proxy: { '/dashboard/api': 'http://127.0.0.1:3000' } },
});
