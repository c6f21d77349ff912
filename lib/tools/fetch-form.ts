/** The form of `fetch-url`: one spelling of the address before the first gate (I4), without `#`. */
import { outsideUrlProblem } from '../gates/rules/network.ts';
import { argumentProblems } from './argument-problems.ts';
import { fetchUrl } from './fetch-url.ts';
import type { ToolForm } from './tool.ts';

/** An address with a fault stays as it is written, so that the gate sees the fault. */
const canonical = (written: string): string => {
  const url = outsideUrlProblem(written) === undefined ? URL.parse(written) : null;
  if (url === null) return written;
  url.hash = '';
  return url.href;
};

export const FETCH_FORM: ToolForm = {
  complete: async (args) => (typeof args.url === 'string' ? { ...args, url: canonical(args.url) } : args),
  findProblems: async (args) => {
    const problems = argumentProblems(fetchUrl, args);
    if (problems.length > 0) return problems;
    return /^https:/i.test(String(args.url)) ? [] : ['url must be a whole address that begins with https://'];
  },
  describe: async ({ url }) => [
    `Opens the address: ${String(url)}`,
    'The other side learns this address. What it answers is outside text.',
  ],
};
