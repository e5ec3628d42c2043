import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { readEnvironment, REQUIRED } from '../../src/config/config.js';
import { kubernetesFaults, type KubernetesObject } from './kubernetes.js';
import { helm } from './helm.js';

const CHART = 'charts/template-messaging';

const PREFERRED = 'worker.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]';

const EVERYTHING = [
  'existingSecret=messaging',
  'ingress.enabled=true',
  'ingress.className=nginx',
  'ingress.host=messages.example.com',
  'ingress.tlsSecret=messages-tls',
  'api.autoscaling.enabled=true',
  'worker.autoscaling.enabled=true',
  'serviceMonitor.enabled=true',
  'serviceMonitor.labels.release=prometheus',
  'networkPolicy.callers[0].namespaceSelector.matchLabels.name=ingress',
  'networkPolicy.scrapers[0].namespaceSelector.matchLabels.name=monitoring',
  'image.pullSecrets[0].name=registry',
  'service.annotations.a=b',
  'ingress.annotations.a=b',
  'api.podAnnotations.a=b',
  'api.nodeSelector.a=b',
  'api.tolerations[0].operator=Exists',
  `${PREFERRED}.weight=1`,
  `${PREFERRED}.preference.matchExpressions[0].key=a`,
  `${PREFERRED}.preference.matchExpressions[0].operator=Exists`,
];

function render(...values: string[]): KubernetesObject[] {
  const text = helm([
    'template',
    'messaging',
    CHART,
    '--namespace',
    'shop',
    ...values.flatMap((value) => ['--set', value]),
  ]);
  return parseAllDocuments(text)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
}

const named = (objects: KubernetesObject[], kind: string, name: string) => {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}`);
  return found as any;
};

describe('The chart', () => {
  it('passes "helm lint" by its strict rules', () => {
    expect(helm(['lint', '--strict', CHART, '--set', 'existingSecret=messaging'])).toContain(
      '0 chart(s) failed',
    );
  });

  it.each([
    ['by default', ['existingSecret=messaging']],
    ['with all that can be asked for', EVERYTHING],
    [
      'with nothing that can be left out',
      [
        'existingSecret=a',
        'migration.enabled=false',
        'networkPolicy.enabled=false',
        'podDisruptionBudget.enabled=false',
      ],
    ],
  ])('makes objects that Kubernetes takes: %s', (_, values) => {
    const objects = render(...values);
    expect(objects.length).toBeGreaterThan(4);
    expect(kubernetesFaults(objects)).toEqual([]);
  });

  it('would be found out with a field or a value that Kubernetes does not know', () => {
    const object = render('existingSecret=a').find(({ kind }) => kind === 'Deployment');
    const spec = (object as KubernetesObject).spec as any;
    const withField = { ...(object as KubernetesObject), spec: { ...spec, replica: 2 } };
    expect(kubernetesFaults([withField])).toEqual([expect.stringMatching(/replica\W+ does not exist/)]);
    const withValue = { ...(object as KubernetesObject), spec: { ...spec, minReadySeconds: 'two' } };
    expect(kubernetesFaults([withValue]).join()).toContain('minReadySeconds');
  });

  it('makes what the documents say', () => {
    const kinds = render(...EVERYTHING).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual([
      'ConfigMap',
      'Deployment',
      'Deployment',
      'HorizontalPodAutoscaler',
      'HorizontalPodAutoscaler',
      'Ingress',
      'Job',
      'NetworkPolicy',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'PodDisruptionBudget',
      'Service',
      'Service',
      'ServiceAccount',
      'ServiceMonitor',
    ]);
  });

  it('gives every pod no rights, no root, and no place to write but /tmp', () => {
    const pods = render('existingSecret=a').flatMap(({ kind, spec }) =>
      kind === 'Deployment' || kind === 'Job' ? [(spec as any).template.spec] : [],
    );
    expect(pods).toHaveLength(3);
    for (const pod of pods) {
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.volumeMounts).toEqual([{ name: 'tmp', mountPath: '/tmp' }]);
      }
    }
  });

  it('is installed by the lines of the README', () => {
    const readme = readFileSync('README.md', 'utf8');
    const [, line = ''] = /^helm (install messaging [^]*?)\nkubectl/m.exec(readme) ?? [];
    const [, ...words] = line.replaceAll('\\\n', ' ').split(/\s+/);
    const text = helm(['template', ...words]);
    expect(text).toContain('image: "registry.example.com/template-messaging-service:1"');
    const [, deployment = ''] =
      /exec (deployment\/\S+) -- node dist\/src\/admin\/main\.js/.exec(readme) ?? [];
    expect(text).toContain(`name: ${deployment.replace('deployment/', '')}\n`);
    const [, name = ''] = /create secret generic (\S+)/.exec(readme) ?? [];
    expect(words).toContain(`existingSecret=${name}`);
    const made = [...readme.matchAll(/--from-literal=([A-Z_]+)=/g)].map((match) => match[1]);
    const given = ['NODE_ENV', 'PROVIDER_BASE_URL']; // by the chart, and by its default
    expect([...made, ...given].toSorted()).toEqual([...REQUIRED, 'NODE_ENV'].toSorted());
  });

  it('has no secret in it: all come from the secret that is named', () => {
    const objects = render('existingSecret=messaging');
    expect(objects.map(({ kind }) => kind)).not.toContain('Secret');
    for (const role of ['api', 'worker']) {
      const [container] = named(objects, 'Deployment', `messaging-template-messaging-${role}`).spec.template
        .spec.containers;
      expect(container.envFrom).toContainEqual({ secretRef: { name: 'messaging' } });
    }
    const job = named(objects, 'Job', 'messaging-template-messaging-migrate');
    expect(
      job.spec.template.spec.containers[0].env.map((one: any) => one.valueFrom.secretKeyRef.name),
    ).toEqual(['messaging', 'messaging']);
  });

  it('gives the service variables that it knows, and more time to stop than it takes', () => {
    const objects = render('existingSecret=a', 'config.SHUTDOWN_GRACE=70', 'config.LOG_LEVEL=warn');
    const { data } = named(objects, 'ConfigMap', 'messaging-template-messaging') as {
      data: Record<string, string>;
    };
    const known = new Set(readFileSync('.env.example', 'utf8').match(/^[A-Z_]+(?==)/gm));
    expect(Object.keys(data).filter((name) => !known.has(name))).toEqual([]);
    const environment = readEnvironment(data);
    expect(environment).toMatchObject({
      NODE_ENV: 'production',
      SHUTDOWN_GRACE: 70,
      LOG_LEVEL: 'warn',
      METRICS_PORT: 9090,
    });
    const { terminationGracePeriodSeconds } = named(objects, 'Deployment', 'messaging-template-messaging-api')
      .spec.template.spec;
    expect(terminationGracePeriodSeconds).toBe(75);
  });

  it('selects by its services, budgets and policies the pods that it makes, and no others', () => {
    const objects = render(...EVERYTHING);
    const labelsOf = (role: string) =>
      named(objects, 'Deployment', `messaging-template-messaging-${role}`).spec.template.metadata.labels;
    const job = named(objects, 'Job', 'messaging-template-messaging-migrate').spec.template.metadata.labels;
    const selected = (selector: Record<string, string>) =>
      Object.entries({ api: labelsOf('api'), worker: labelsOf('worker'), job }).flatMap(([name, labels]) =>
        Object.entries(selector).every(([key, value]) => labels[key] === value) ? [name] : [],
      );
    expect(selected(named(objects, 'Service', 'messaging-template-messaging').spec.selector)).toEqual([
      'api',
    ]);
    expect(selected(named(objects, 'Service', 'messaging-template-messaging-metrics').spec.selector)).toEqual(
      ['api', 'worker'],
    );
    for (const role of ['api', 'worker']) {
      const budget = named(objects, 'PodDisruptionBudget', `messaging-template-messaging-${role}`);
      expect(selected(budget.spec.selector.matchLabels)).toEqual([role]);
    }
    const all = named(objects, 'NetworkPolicy', 'messaging-template-messaging').spec.podSelector.matchLabels;
    expect(selected(all)).toEqual(['api', 'worker', 'job']);
    const monitor = named(objects, 'ServiceMonitor', 'messaging-template-messaging').spec;
    const metrics = named(objects, 'Service', 'messaging-template-messaging-metrics');
    expect(metrics.metadata.labels).toMatchObject(monitor.selector.matchLabels);
    expect(monitor.endpoints[0].port).toBe(metrics.spec.ports[0].name);
  });

  it('lets its pods out to stores, the provider and the ports that are named, and to nothing else', () => {
    const ports = (...values: string[]) =>
      named(render('existingSecret=a', ...values), 'NetworkPolicy', 'messaging-template-messaging')
        .spec.egress.flatMap((rule: any) => rule.ports.map(({ port }: any) => port))
        .toSorted((one: number, other: number) => one - other);
    expect(ports()).toEqual([53, 53, 443, 5432, 6379]);
    expect(ports('networkPolicy.furtherPorts={587,4318}')).toEqual([53, 53, 443, 587, 4318, 5432, 6379]);
  });

  it('scales workers by the age of the oldest due message', () => {
    const { spec } = named(
      render(...EVERYTHING),
      'HorizontalPodAutoscaler',
      'messaging-template-messaging-worker',
    );
    expect(spec.metrics[0].external).toMatchObject({
      metric: { name: 'tms_oldest_due_seconds' },
      target: { type: 'Value', value: '30' },
    });
  });

  it.each([
    ['no secret', []],
    ['a secret among the variables', ['existingSecret=a', 'config.ENCRYPTION_KEY=b']],
    ['the password of a mail server there', ['existingSecret=a', 'config.ALERT_SMTP_URL=smtps://a:b@c']],
    ['a value that does not exist', ['existingSecret=a', 'workers.replicas=3']],
    ['an ingress without a name', ['existingSecret=a', 'ingress.enabled=true']],
    ['a port that is none', ['existingSecret=a', 'networkPolicy.storePorts={70000}']],
  ])('refuses %s', (_, values) => {
    expect(() => render(...values)).toThrow("values don't meet the specifications of the schema");
  });
});
