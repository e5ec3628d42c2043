/**
 * The layers of docs/architecture.md, top first: a room may import from rooms of lower layers only, and not from its
 * neighbours in its own.
 */
const layers = [
  ['main.ts'],
  ['embedded'],
  ['app'],
  ['dashboard', 'operations', 'admin'],
  ['sandbox', 'restores'],
  ['webhooks', 'webhook-endpoints', 'scheduling', 'campaigns'],
  ['delivery', 'number-moves'],
  ['outbox'],
  ['messages'],
  ['templates', 'pricing', 'ledger', 'numbers', 'statistics', 'recipients', 'spending'],
  ['alerts', 'shards'],
  ['accounts', 'provider'],
  ['events'],
  ['openapi'],
  ['http'],
  ['database'],
  ['config'],
  ['common'],
];

const rooms = (names) => `^src/(${names.join('|').replaceAll('.', '\\.')})(/|$)`;

const rules = layers.flatMap((names, level) => {
  const above = layers.slice(0, level).flat();
  const neighbours = names.map((name) => names.filter((other) => other !== name));
  const forbidden = names.map((name, i) => ({
    name: `${name}-imports-downwards`,
    severity: 'error',
    from: { path: rooms([name]) },
    to: { path: rooms([...above, ...neighbours[i]]) },
  }));
  return forbidden.filter(({ to }) => to.path !== rooms([]));
});

module.exports = {
  forbidden: [
    ...rules,
    {
      name: 'every-file-has-a-layer',
      severity: 'error',
      from: { path: '^src/', pathNot: rooms(layers.flat()) },
      to: {},
    },
    {
      name: 'rooms-without-circles',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'sandbox-knows-only-the-wire',
      comment: 'The client speaks real HTTP to the sandbox, so the demo runs the code path of production.',
      severity: 'error',
      from: { path: '^src/sandbox/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(sandbox/|provider/(wire\\.ts|domain/)|common/)' },
    },
    {
      name: 'domain-is-pure',
      comment: 'Rules take time and randomness as arguments and know neither Nest nor I/O.',
      severity: 'error',
      from: { path: '/domain/|^src/messages/(components|schedule)/' },
      to: {
        path: [
          '@nestjs',
          'node_modules/(pg|typeorm|bull|undici|ioredis)/',
          '\\.(service|store|module|entity)\\.ts$',
        ],
      },
    },
    {
      name: 'service-leaves-the-page-alone',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^dashboard/' },
    },
    {
      name: 'page-shares-only-rules',
      comment: 'The page is another program: it knows the API, and the pure rules that both check by.',
      severity: 'error',
      from: { path: '^dashboard/' },
      to: { path: '^src/', pathNot: '/domain/' },
    },
    {
      name: 'opentelemetry-only-where-asked-for',
      comment: 'It is loaded where there is a collector only: by an import() of the one file that knows it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/messages/traces/opentelemetry\\.ts$' },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'opentelemetry-only-when-asked-for',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        path: '^src/messages/traces/opentelemetry\\.ts$',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unlisted-packages',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^test/', '\\.spec\\.ts$'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types'] },
  },
};
