/**
 * Fetches the package of a server once, outside the sandbox: npm compares it with the registry's
 * hash, and runs none of its scripts. It is not fetched again by itself, so what was tried stays.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { ProtocolError } from '../../lib/core/base/errors.ts';
import { isObject, readJson } from '../../lib/core/base/json.ts';
import { MINUTE_MS } from '../../lib/core/base/limits.ts';
import { findVersion, programOf, splitSpec } from './mcp-process.ts';

const FETCH_MS_MAX = 5 * MINUTE_MS;
/** A name of the registry: no path, address or option. */
const NAME = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/;
/** Its answer to a failure. */
const Said = z.object({ error: z.object({ summary: z.string() }) });
const VERSION = /^[\w.^~-]*$/;
const QUIET = ['--ignore-scripts', '--omit=dev', '--save-exact', '--no-audit', '--no-fund', '--json'];

/** The package and the arguments of `npx -y package argument …`. @throws ProtocolError */
export const readNpx = ([, ...words]: readonly string[]): readonly [string, ...string[]] => {
  const [spec, ...args] = words[0] === '-y' || words[0] === '--yes' ? words.slice(1) : words;
  const { name, version } = splitSpec(spec ?? '');
  if (spec === undefined || !NAME.test(name) || !VERSION.test(version))
    throw new ProtocolError('behind npx stand -y, the name of a package, and its arguments');
  return [spec, ...args];
};

/**
 * @param place a folder of its own, which is replaced
 * @returns the package with its exact version. @throws ProtocolError
 */
export const fetchPackage = async (place: string, spec: string): Promise<string> => {
  const made = `${place}.new`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made, { recursive: true, mode: 0o700 });
  try {
    await promisify(execFile)('npm', ['install', '--prefix', made, ...QUIET, spec], {
      cwd: made,
      timeout: FETCH_MS_MAX,
    });
  } catch (error) {
    const said = Said.safeParse(isObject(error) ? readJson(String(error.stdout)) : undefined);
    throw new ProtocolError(`npm could not fetch ${spec}: ${said.data?.error.summary ?? 'npm cannot be started'}`);
  }
  const { name } = splitSpec(spec);
  const exact = `${name}@${findVersion(join(made, 'node_modules', name))}`;
  programOf(made, exact);
  rmSync(place, { recursive: true, force: true });
  renameSync(made, place);
  return exact;
};
