/**
 * What a run is built from: the deployment's template, with the settings and secrets of the
 * simulated outside. Made once for all runs of a process.
 */
import { tmpdir } from 'node:os';
import { USUAL_FUNCTIONS } from '../../infra/functions.ts';
import { loadTemplate, openCache } from '../../infra/local/load-build.ts';
import { buildWiring, type Wiring } from '../../infra/local/wiring.ts';
import { renderVerifierKey } from '../../lib/core/evidence/signed-note.ts';
import { buildLogSigners } from '../../lib/core/log/log-keys.ts';
import { FUNCTION_NAMES, type FunctionName, settingsOf } from '../../lib/core/store/settings.ts';
import { REGION } from './machine/machine.ts';
import { CONFIG } from './outside/config.ts';
import type { FunctionSetup } from './world/lambda.ts';

export interface Setup {
  readonly wiring: Wiring;
  readonly functions: ReadonlyMap<FunctionName, FunctionSetup>;
  readonly space: string;
  readonly tableName: string;
  /** The log's public key. */
  readonly publicKey: string;
}

const SPACE = 'default';
const TABLE_NAME = 'passepartout';

const isFunctionName = (name: string): name is FunctionName => FUNCTION_NAMES.some((one) => one === name);

export const buildSetup = async (): Promise<Setup> => {
  // Its synthesis takes longer than many schedules.
  const template = await loadTemplate({ folder: openCache(tmpdir()) }, SPACE);
  const whole = buildWiring(template, {
    region: REGION,
    accountId: '000000000000',
    tableName: TABLE_NAME,
    queueOrigin: 'http://queues.test',
    settings: { HEARTBEAT_INTERVAL_SECONDS: '60', ...CONFIG.environment, LOG_LEVEL: 'info' },
  });
  const isUsual = (name: string): boolean => USUAL_FUNCTIONS.some((one) => one === name);
  const wiring = { ...whole, schedules: whole.schedules.filter(({ functionName }) => isUsual(functionName)) };
  const functions = new Map<FunctionName, FunctionSetup>();
  for (const { name, timeoutMs, variables, secrets } of wiring.functions) {
    if (!isFunctionName(name)) throw new Error(`the template has an unknown function ${name}`);
    const held = Object.fromEntries(secrets.map((secret) => [secret, CONFIG.secrets[secret] ?? '']));
    // The local stack of the template keeps files in a folder.
    const stored = settingsOf(name).includes('CONTENT_BUCKET') ? { CONTENT_BUCKET: 'files' } : {};
    functions.set(name, { name, timeoutMs, variables: { ...variables, ...held, ...stored } });
  }
  const { current } = buildLogSigners(SPACE, new Map(Object.entries(CONFIG.secrets)));
  return { wiring, functions, space: SPACE, tableName: TABLE_NAME, publicKey: renderVerifierKey(current.verifier) };
};
