/**
 * Judges code given to an interpreter on the command line (`python -c`, `node -e`, `awk`) by the
 * texts in it: a dangerous command, or the name of a place of secrets. It does not analyse the
 * language: code that builds its words piece by piece still meets a person. Pure.
 */

import { findSecretPath } from '../text/find-secret-path.ts';
import { nameOf, outputOf, type Run } from './program-run.ts';

const CODE_OPTIONS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:python|pypy)[\d.]*$/, /^-[a-z]*c$/i],
  [/^perl[\d.]*$/, /^-[a-z0-9]*[eE]$/],
  [/^ruby[\d.]*$/, /^-[a-z]*e$/],
  [/^(?:node|nodejs|bun)$/, /^(?:-e|-p|-pe|--eval|--print)$/],
  [/^php[\d.]*$/, /^-r$/],
  [/^(?:lua|rscript|osascript|tclsh|julia)[\d.]*$/, /^-e$/],
  [/^(?:pwsh|powershell)$/, /^-(?:c|command|enc|encodedcommand|e)$/i],
  [/^deno$/, /^eval$/],
];

/** The code that a run hands to an interpreter; undefined if there is none. */
export const codeOfRun = (run: Run): string | undefined => {
  const name = nameOf(run);
  if (/^(?:g|m|n)?awk$/.test(name)) return run.words.slice(1).find((word) => !word.startsWith('-'));
  const option = CODE_OPTIONS.find(([program]) => program.test(name))?.[1];
  if (option === undefined) return undefined;
  const at = run.words.findIndex((word, index) => index > 0 && option.test(word));
  if (at > 0) return run.words.slice(at + 1).join('\n');
  const attached = run.words
    .slice(1)
    .flatMap((word) => /^-[a-zA-Z]*?[cer](?=[^a-zA-Z-]|.*[^\w.-])(.+)$/s.exec(word)?.[1] ?? []);
  if (attached.length > 0) return attached.join('\n');
  if (run.words.length > 1 && run.words[1] !== '-') return undefined;
  return run.input ?? (run.upstream.length > 0 ? outputOf({ ...run, words: ['cat'] }) : undefined);
};

const TEXTS = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`]*)`/g;
const STARTS =
  /\b(?:system|popen|exec\w*|spawn\w*|subprocess|child_process|shell_exec|passthru|proc_open|qx|Popen|check_output|getoutput|do shell script|Invoke-Expression|iex)\b|`/;
const FETCHES =
  /\b(?:urlopen|urlretrieve|requests|httpx|fetch|http\.get|https\.get|LWP|open-uri|URI\.open|file_get_contents|DownloadString|Invoke-WebRequest|Net::HTTP)\b/;
const RUNS_TEXT = /\b(?:exec|eval|compile|Function|IEX|Invoke-Expression|instance_eval|system|popen)\b/;
const SOCKET = /\b(?:socket|Socket|TCPSocket|fsockopen|net\.connect|net\.Socket|createConnection|TCPClient|INET)\b/;
const SHELL_TIE = /\b(?:dup2|subprocess|pty|spawn|exec|popen|system|child_process|proc_open)\b/;

export interface CodeFinding {
  readonly danger?: string;
  /** Texts that a shell would get. */
  readonly scripts: readonly string[];
}

export const judgeCode = (code: string): CodeFinding => {
  const quoted = [...code.matchAll(TEXTS)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  const texts = quoted.filter((text) => text !== '');
  if (FETCHES.test(code) && RUNS_TEXT.test(code))
    return { danger: 'it runs what was downloaded, decoded or is otherwise unknown', scripts: [] };
  if (/\bb(?:ase)?64\w*|fromCharCode|\bpack\b|fromhex/i.test(code) && RUNS_TEXT.test(code)) {
    return { danger: 'it runs what was downloaded, decoded or is otherwise unknown', scripts: [] };
  }
  if (code.includes('/inet/tcp/')) return { danger: 'it opens a shell to the network', scripts: [] };
  if (SOCKET.test(code) && SHELL_TIE.test(code)) return { danger: 'it opens a shell to the network', scripts: [] };
  if (texts.some((text) => findSecretPath(text) !== undefined && /[/.~]/.test(text)))
    return { danger: 'it reads credentials', scripts: [] };
  return STARTS.test(code) ? { scripts: [...texts, texts.join(' '), texts.join('')] } : { scripts: [] };
};
