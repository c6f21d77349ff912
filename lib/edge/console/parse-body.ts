/**
 * A request's body against a schema, with every problem named in words a client's author can act on. What was sent is
 * never quoted, but for the names of unknown members, shortened and with nothing invisible in them.
 */
import * as z from 'zod/mini';
import { ProtocolError } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import { BODY_BYTES_MAX } from '../../base/limits.ts';
import { makeVisible } from '../../base/make-visible.ts';
import { HttpError, type HttpRequest } from '../function-url.ts';

const PROBLEMS_MAX = 8;
const NAME_CHARS_MAX = 40;

/** What zod/mini says where a schema has no words of its own. */
const WORDLESS = 'Invalid input';

const describeIssue = (issue: z.core.$ZodIssue): string => {
  const where = issue.path.map(String).join('.') || 'body';
  switch (issue.code) {
    case 'unrecognized_keys':
      return `unknown member ${issue.keys.map((key) => makeVisible(key.slice(0, NAME_CHARS_MAX))).join(', ')}`;
    case 'invalid_type':
      return `${where} must be ${issue.expected === 'object' ? 'an' : 'a'} ${issue.expected}`;
    case 'invalid_value':
      return `${where} must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `${where} is longer than ${issue.maximum} characters`;
    case 'too_small':
      return `${where} must not be empty`;
    default:
      return issue.message === WORDLESS ? `${where} does not fit` : `${where} ${issue.message}`;
  }
};

/** @throws HttpError 413 when too large, ProtocolError naming what is wrong. */
export const parseBody = <T>(request: HttpRequest, schema: z.ZodMiniType<T>): T => {
  if (request.body.byteLength > BODY_BYTES_MAX)
    throw new HttpError(413, 'too-large', `body is larger than ${BODY_BYTES_MAX} bytes`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(request.body);
  } catch {
    throw new ProtocolError('body is not valid UTF-8');
  }
  const result = schema.safeParse(parseJson('body', text, z.unknown()));
  if (result.success) return result.data;
  throw new ProtocolError(result.error.issues.slice(0, PROBLEMS_MAX).map(describeIssue).join('; '));
};
