/** The runner as a process of its own, as `npx passepartout runner start` runs it. */
import { startRunner } from '../../../infra/runner/commands.ts';

const ending = new AbortController();
process.once('SIGINT', () => ending.abort());
const report = (line: string): void => void process.stdout.write(`${line}\n`);
await startRunner({ env: process.env, now: Date.now, report }, ending.signal);
