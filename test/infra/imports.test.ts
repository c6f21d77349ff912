/** The direction of imports (design 9), read from the source itself: the part of I2 that IAM cannot enforce. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';

const FOLDERS = ['functions', 'infra', 'lib'];
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;

interface Import {
  /** Importing file, from the root. */
  readonly file: string;
  /** Imported file from the root, or the package. */
  readonly target: string;
}

const imports: Import[] = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const path = join(ROOT, folder, file);
      return [...readFileSync(path, 'utf8').matchAll(IMPORT)].map(([, specifier = '']) => ({
        file: relative(ROOT, path),
        target: specifier.startsWith('.') ? relative(ROOT, resolve(dirname(path), specifier)) : specifier,
      }));
    }),
);

const offenders = (isTarget: (target: string) => boolean, isAllowed: (file: string) => boolean): string[] =>
  imports
    .filter(({ file, target }) => isTarget(target) && !isAllowed(file))
    .map(({ file, target }) => `${file} → ${target}`);

const reachableFrom = (entry: string): ReadonlySet<string> => {
  const seen = new Set([entry]);
  for (const file of seen) for (const { target } of imports.filter((one) => one.file === file)) seen.add(target);
  return seen;
};

describe('imports', () => {
  it('are seen by this test at all', () => {
    expect(imports.filter(({ target }) => target === 'lib/base/limits.ts').length).toBeGreaterThan(3);
  });

  it.each<[string, (target: string) => boolean, (file: string) => boolean]>([
    [
      'actuators only by Act, the local stack and each other (I2)',
      (target) => target.startsWith('lib/actuators/'),
      (file) => /^(functions\/act\/|lib\/actuators\/|lib\/pipeline\/act\/(act-deps|perform)\.ts|infra\/)/.test(file),
    ],
    ['the AWS SDK only by lib/aws', (target) => target.startsWith('@aws-sdk/'), (file) => file.startsWith('lib/aws/')],
    ['functions only by nobody', (target) => target.startsWith('functions/'), (file) => file.startsWith('functions/')],
    ['infra never by lib or functions', (target) => target.startsWith('infra/'), (file) => file.startsWith('infra/')],
    ['aws-cdk-lib only by infra', (target) => target.startsWith('aws-cdk-lib'), (file) => file.startsWith('infra/')],
  ])('%s', (_, isTarget, isAllowed) => {
    expect(offenders(isTarget, isAllowed)).toStrictEqual([]);
  });

  it('of lib/signal stay with zod, limits, errors and canonical JSON', () => {
    const allowed =
      /^(zod|zod\/mini|node:crypto|lib\/(limits|errors)\.ts|lib\/evidence\/canonical\.ts|lib\/signal\/.*|lib\/gates\/(facts|gate)\.ts)$/;
    const found = imports.filter(({ file, target }) => file.startsWith('lib/signal/') && !allowed.test(target));
    expect(found).toStrictEqual([]);
  });

  it('of lib/gates stay with signals and plain libraries', () => {
    const found = imports.filter(
      ({ file, target }) =>
        file.startsWith('lib/gates/') &&
        /^lib\/(aws|pipeline|approvals|llm|context|memory|tools|actuators|commands)\//.test(target),
    );
    expect(found).toStrictEqual([]);
  });

  it('bring actuators into the bundle of Act and of no other function (I2)', () => {
    const handlers = [...new Set(imports.map(({ file }) => file))].filter((file) =>
      /^functions\/[^/]+\/handler\.ts$/.test(file),
    );
    const holders = handlers.filter((handler) =>
      [...reachableFrom(handler)].some((file) => file.startsWith('lib/actuators/')),
    );
    expect(handlers.length).toBeGreaterThanOrEqual(8);
    expect(holders).toStrictEqual(['functions/act/handler.ts']);
  });
});
