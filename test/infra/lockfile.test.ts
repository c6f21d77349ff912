/** The lockfile: what `npm ci` installs has to be installable on every platform that runs Node. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { ROOT } from '../../infra/bundling.ts';

const Packages = z.object({
  packages: z.record(
    z.string(),
    z.object({
      os: z.optional(z.array(z.string())),
      cpu: z.optional(z.array(z.string())),
      libc: z.optional(z.array(z.string())),
      optional: z.optional(z.boolean()),
    }),
  ),
});

it('has no required package that names an operating system or a processor', () => {
  const { packages } = Packages.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  const bound = Object.entries(packages).filter(([, { os, cpu, libc }]) => (os ?? cpu ?? libc) !== undefined);
  expect(bound.length).toBeGreaterThan(0);
  expect(bound.filter(([, { optional }]) => optional !== true).map(([name]) => name)).toStrictEqual([]);
});
