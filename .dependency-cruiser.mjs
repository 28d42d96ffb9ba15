/**
 * Who may import whom, one row a folder. A row holds the folders whose *values* it may import; types may be imported
 * anywhere downstream, so type-only imports are outside the rules. What is not in the table may not be imported.
 */

/** Read by everything: plain tables and readers that depend on nothing. */
const PLAIN = ['semconv', 'version', 'advice', 'json-fault', 'continuity/vocabulary'];

const MAY_IMPORT = {
  // One call, from the SDK's objects to telemetry.
  intercept: ['observe', 'context', 'config'],
  observe: ['dialects', 'continuity', 'emit', 'context'],
  dialects: ['continuity'],
  continuity: [],
  emit: [],
  context: [],
  // What users set: read, checked, and put where observation finds it.
  config: ['context', 'dialects'],
  // Brackets what observation sees.
  run: ['context', 'emit', 'continuity', 'observe'],
  simulator: [],
};

const pattern = (name) => `src/${name}(/|\\.ts$)`;
const AS_VALUE = { dependencyTypesNot: ['type-only'] };

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
      name: `${folder}-imports`,
      comment: `src/${folder} may import ${allowed.length > 0 ? allowed.join(', ') : 'nothing of ours'}`,
      severity: 'error',
      from: { path: `^${pattern(folder)}` },
      to: {
        path: '^src/',
        pathNot: [folder, ...allowed, ...PLAIN].map((name) => `^${pattern(name)}`),
        ...AS_VALUE,
      },
    })),
    {
      name: 'readers-of-records-touch-no-sdk',
      comment: 'audit, watch and cli may import everything but intercept',
      severity: 'error',
      from: { path: '^src/(audit|watch|cli)/' },
      to: { path: '^src/intercept/', ...AS_VALUE },
    },
    {
      name: 'one-folder-a-provider',
      comment: 'a dialect holds its own rules: it imports nothing from another dialect',
      severity: 'error',
      from: { path: '^src/dialects/([^/]+)/' },
      to: { path: '^src/dialects/[^/]+/', pathNot: '^src/dialects/$1/', ...AS_VALUE },
    },
    {
      name: 'no-opentelemetry-in-the-judgement',
      comment: 'continuity, the dialects and the audit work without OpenTelemetry',
      severity: 'error',
      from: { path: '^src/(continuity|dialects|audit)/' },
      to: { path: '@opentelemetry/', ...AS_VALUE },
    },
    {
      name: 'no-cycles',
      comment: 'one direction',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'sources-stand-alone',
      comment: 'src imports nothing from tests, demo, bench and scripts',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|demo|bench|scripts)/' },
    },
    {
      name: 'no-development-packages',
      comment: 'what src imports as a value is a dependency of the package',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'unknown'],
        dependencyTypesNot: ['type-only', 'npm-peer'],
        // A file that is not there is for the compiler to report.
        pathNot: '^[.]',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
