/** Signed results wait in files until the stack has them. A repeat is harmless. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRetryable } from '../../lib/core/base/errors.ts';
import { RUNNER_BODIES, type RunnerBody } from '../../lib/features/runner/requests.ts';
import { fileNameOf } from './runner-folder.ts';
import type { Stack } from './transport.ts';

type ResultBody = RunnerBody<'result'>;

export interface Unsent {
  /** On the disk when it returns. */
  readonly keep: (body: ResultBody) => void;
  readonly list: () => readonly ResultBody[];
  /** Posts all. @returns false if some must be tried later */
  readonly post: () => Promise<boolean>;
}

const readBody = (path: string): ResultBody | undefined => {
  try {
    const parsed = RUNNER_BODIES.result.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
};

export const buildUnsent = (folder: string, stack: Pick<Stack, 'result'>, report: (line: string) => void): Unsent => {
  const pathOf = (id: string): string => join(folder, `${fileNameOf(id)}.json`);
  const list = (): readonly ResultBody[] =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => readBody(join(folder, name)) ?? []);
  const keep = (body: ResultBody): void => {
    const path = pathOf(body.id);
    writeFileSync(`${path}.new`, JSON.stringify(body), { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
  };
  // Several orders end at once, and each posts all.
  const posting = new Set<string>();
  const postOne = async (body: ResultBody): Promise<boolean> => {
    if (posting.has(body.id)) return true;
    posting.add(body.id);
    try {
      const { isKept } = await stack.result(body);
      if (!isKept) report(`${body.id}: the stack did not take the result`);
    } catch (error) {
      if (isRetryable(error)) return false;
      report(`${body.id}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      posting.delete(body.id);
    }
    rmSync(pathOf(body.id), { force: true });
    return true;
  };
  const post = async (): Promise<boolean> => {
    const posted = await Promise.all(list().map(postOne));
    return posted.every((one) => one);
  };
  return { keep, list, post };
};
