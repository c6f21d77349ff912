/**
 * Environment variables of a function, parsed once at module scope. A bad environment is one ConfigError that names
 * every missing or invalid variable, never their values.
 */
import * as z from 'zod/mini';
import { ConfigError } from '../base/errors.ts';

/** A comma list: `a, b` → `['a', 'b']`; empty and absent → `[]`. */
export const CommaList = z.pipe(
  z.optional(z.string()),
  z.transform((text: string | undefined) =>
    (text ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
);

/** `1` or `true` is true; absent, empty, `0` or `false` is false. */
export const Flag = z.pipe(
  z.optional(z.enum(['', '0', '1', 'true', 'false'])),
  z.transform((text: '' | '0' | '1' | 'true' | 'false' | undefined): boolean => text === '1' || text === 'true'),
);

/** JSON object of name → value in one variable; absent → empty. */
export const jsonMap = <T>(value: z.ZodMiniType<T>) =>
  z.pipe(
    z.pipe(
      z.optional(z.string()),
      z.transform((text: string | undefined, context): unknown => {
        try {
          return JSON.parse(text === undefined || text === '' ? '{}' : text);
        } catch {
          context.issues.push({ code: 'custom', message: 'is not valid JSON', input: '' });
          return z.NEVER;
        }
      }),
    ),
    z.record(z.string(), value),
  );

/** What every function has. */
export const COMMON_ENV = {
  SPACE: z.string().check(z.regex(/^[a-z0-9-]{1,32}$/)),
  TABLE_NAME: z.string().check(z.minLength(3)),
} as const;

/**
 * Reads variables against a schema.
 * @throws ConfigError naming every variable that is missing or does not fit.
 */
export const readEnv = <T>(
  schema: z.ZodMiniType<T>,
  source: Readonly<Record<string, string | undefined>> = process.env,
): T => {
  // Used once: compiling it would take longer than checking it.
  const result = schema.safeParse(source, { jitless: true });
  if (result.success) return result.data;
  throw new ConfigError(
    result.error.issues.map((issue) => {
      const name = issue.path.map(String).join('.');
      return source[String(issue.path[0])] === undefined ? `${name} is missing` : `${name}: ${issue.message}`;
    }),
  );
};
