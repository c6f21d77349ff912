/**
 * What a process that a test begins gets of this one's environment: where programs are, the zone,
 * and the false clock of `npm run test:clock`. With two clocks a stack and its test would disagree.
 */
const NAMES = /^(?:PATH|TZ|LD_PRELOAD|FAKETIME\w*)$/;

export const CHILD_ENV: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value = '']) => (NAMES.test(name) ? [[name, value]] : [])),
);
