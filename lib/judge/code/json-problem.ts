/** Whether a text is JSON, or each of its lines is. Programs skip a byte order mark. Pure. */
import type { Finding } from './finding.ts';
import type { CodeForm } from './proposed-code.ts';

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const NOT_JSON = 'it is not JSON';

/** The engine's own messages quote the text, so the place of a fault in one value is not told: the line is 1. */
export const findJsonProblem = (text: string, form: CodeForm): Finding => {
  const marked = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (form !== 'lines') return parses(marked) ? undefined : { line: 1, problem: NOT_JSON };
  const bad = marked.split('\n').findIndex((line) => line.trim() !== '' && !parses(line));
  return bad < 0 ? undefined : { line: bad + 1, problem: NOT_JSON };
};
