import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: object;
}

type Model = new (object: KubernetesObject) => { validate(): void };

// Their compiled schemas are CommonJS.
const load = createRequire(import.meta.url);

/**
 * What Kubernetes' own schemas, and those of the Prometheus operator, say against objects: values that are missing or of a
 * wrong form, and by the types made of the same schemas, fields that do not exist.
 */
export function kubernetesFaults(objects: KubernetesObject[]): string[] {
  return [...objects.flatMap(faultsOfValues), ...faultsOfFields(objects)];
}

function faultsOfValues(object: KubernetesObject): string[] {
  const models = load(moduleOf(object)) as Record<string, Model>;
  const Kind = models[object.kind];
  if (!Kind) throw new Error(`There is no schema of ${object.apiVersion} ${object.kind}`);
  try {
    new Kind(object).validate();
    return [];
  } catch (error) {
    return [`${object.kind} ${object.metadata.name}: ${(error as Error).message}`];
  }
}

/** Compiles the objects as literals, in which TypeScript takes no field that their type does not have. */
function faultsOfFields(objects: KubernetesObject[]): string[] {
  const file = fileURLToPath(new URL('objects.ts', import.meta.url));
  const text = objects
    .map(
      (object, i) =>
        `import type { I${object.kind} as Kind${i} } from '${moduleOf(object)}';\n` +
        `export const object${i}: Kind${i} = ${JSON.stringify(object)};`,
    )
    .join('\n');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, target) =>
    name === file ? ts.createSourceFile(name, text, target) : getSourceFile(name, target);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

function moduleOf({ apiVersion, kind }: KubernetesObject): string {
  const place = apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models';
  return `${place}/${apiVersion}/${kind}`;
}
