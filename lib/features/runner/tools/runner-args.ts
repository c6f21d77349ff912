/** Arguments that the tools of a runner share. Their form makes paths canonical and absolute. */
import * as z from 'zod/mini';
import { named } from '../../../core/text/quoted.ts';
import { loadFeatureParts } from '../../../core/tools/tool.ts';

export const formOf =
  (name: 'shell' | 'read-file' | 'write-file' | 'edit-file' | 'list-files' | 'search-files') => async () =>
    (await loadFeatureParts()).RUNNER_FORMS[name];
export const loadShellReader = () => import('../shell-reader.ts');

/** Longer than any honest path, and as long as an allow-file takes. */
const PATH_CHARS_MAX = 1_024;

export const runnerPath = z.string().check(z.regex(/\S/), z.maxLength(PATH_CHARS_MAX));
export const runnerName = z.string().check(z.maxLength(64));

/** ` on home`; empty before the machine is known. */
export const onMachine = (runner: string | undefined): string => (runner === undefined ? '' : ` on ${named(runner)}`);
