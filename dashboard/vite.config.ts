import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** What a first visit may load, gzipped: entry, what it imports at once, and its styles. */
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
  // The page's Content-Security-Policy allows no data: URLs but for images.
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    sourcemap: false,
    // All styles at once: a lazy part whose script came, but not its styles, would be shown without them for good.
    cssCodeSplit: false,
    // The limit above is the one that counts.
    chunkSizeWarningLimit: Infinity,
    // 'use client' is for frameworks that render on the server; a thousand modules have it.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  server: { proxy: { '/dashboard/api': 'http://127.0.0.1:3000' } },
});
