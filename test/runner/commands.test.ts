/** The runner as its owner starts it. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ALLOW_EXAMPLE } from '../../infra/runner/allow-example.ts';
import { startRunner } from '../../infra/runner/commands.ts';
import { writePairing } from '../../infra/runner/runner-folder.ts';
import { ConfigError } from '../../lib/base/errors.ts';
import { inSandbox } from './machine.ts';

/** Nobody listens there: the runner goes on trying. */
const PAIRING = { v: 1, url: 'http://127.0.0.1:9', space: 'default', name: 'home', actKey: 'k', pairedAt: 0 } as const;

describe('startRunner', () => {
  inSandbox('refuses to start a second time in the same folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'runner-'));
    const env = { PASSEPARTOUT_RUNNER_DIR: join(folder, 'runners') };
    const work = join(folder, 'work');
    mkdirSync(work);
    writePairing(env, PAIRING, new Uint8Array(32), ALLOW_EXAMPLE.replace('write: []', `write: [${work}]`));
    const lines: string[] = [];
    const context = { env, now: Date.now, report: (line: string) => void lines.push(line) };
    const end = new AbortController();
    const first = startRunner(context, end.signal);
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    await expect(startRunner(context, end.signal)).rejects.toThrow(ConfigError);
    end.abort();
    await first;
  });
});
