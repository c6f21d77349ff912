/**
 * Hands one mail to the owner's mail server (RFC 5321, RFC 6409). It says which of four things
 * happened, because only that decides whether the mail may be sent again (I7): once its last line
 * is under way, an answer that is lost leaves it unknown. No words of the server are passed on,
 * since they name people.
 */
import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { defined } from '../../core/base/defined.ts';
import { SECOND_MS } from '../../core/base/limits.ts';
import type { MailServer } from './server.ts';

export type SmtpOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly code: number; readonly isLogin?: true }
  | { readonly kind: 'unreached' }
  | { readonly kind: 'unknown' };

/** Act has a minute for this and all else. */
const CONNECT_TIMEOUT_MS = 10 * SECOND_MS;
const ANSWER_TIMEOUT_MS = 20 * SECOND_MS;

interface SmtpProblem {
  readonly code?: string | undefined;
  readonly responseCode?: number | undefined;
}

/** @param isUnderWay the mail itself was begun */
const outcomeOf = ({ code, responseCode }: SmtpProblem, isUnderWay: boolean): SmtpOutcome => {
  if (responseCode !== undefined)
    return { kind: 'refused', code: responseCode, ...(code === 'EAUTH' ? { isLogin: true as const } : {}) };
  return { kind: isUnderWay ? 'unknown' : 'unreached' };
};

/** Never rejects. @param content the whole mail, with CRLF; undefined: it only logs in */
export const submitMail = (
  { host, port, secure, mustUpgrade, user }: MailServer,
  password: string,
  envelope: { readonly from: string; readonly to: string },
  content: Buffer | undefined,
): Promise<SmtpOutcome> =>
  new Promise((resolve) => {
    let isUnderWay = false;
    const connection = new SMTPConnection({
      ...{ host, port, secure, requireTLS: mustUpgrade, logger: false },
      ...{
        connectionTimeout: CONNECT_TIMEOUT_MS,
        greetingTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: ANSWER_TIMEOUT_MS,
      },
      ...defined({ ignoreTLS: !secure && !mustUpgrade ? true : undefined }),
    });
    const end = (outcome: SmtpOutcome): void => {
      resolve(outcome);
      connection.close();
    };
    const fail = (error: unknown): void => end(outcomeOf((error ?? {}) as SmtpProblem, isUnderWay));
    const send = (whole: Buffer): void => {
      const stream = Readable.from(
        (function* () {
          isUnderWay = true;
          yield whole;
        })(),
      );
      const given = { from: envelope.from, to: [envelope.to], size: whole.byteLength };
      connection.send(given, stream, (error) => (error ? fail(error) : end({ kind: 'sent' })));
    };
    connection.once('error', fail);
    connection.once('end', () => fail({}));
    connection.connect((error) => {
      if (error) return fail(error);
      connection.login({ user, pass: password } as never, (refusal) => {
        if (refusal) return fail(refusal);
        if (content === undefined) end({ kind: 'sent' });
        else send(content);
      });
    });
  });
