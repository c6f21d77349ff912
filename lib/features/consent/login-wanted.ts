/** Reads in a server's refusal which login it wants (RFC 6750, RFC 9728): untrusted. */
import { ProtocolError } from '../../core/base/errors.ts';
import { Scope, Wants } from './login-record.ts';

/** A call did not run: there is no login, it has ended, or it grants too little. */
export class LoginError extends ProtocolError {
  override readonly name: string = 'LoginError';
  /** Requests of the server. */
  readonly wants: Wants;
  constructor(server: string, has: 'wanted' | 'ended', wants: Wants = {}) {
    super(
      has === 'ended'
        ? `the login at the MCP server has ended; in a terminal: npx passepartout mcp login ${server}`
        : `the MCP server wants a login; in a terminal: npx passepartout mcp login ${server}`,
    );
    this.wants = wants;
  }
}

/** An error of code in a bundle of its own: its class is another, its words are ours. */
export const asOurs = (error: unknown): never => {
  if (error instanceof Error && 'problem' in error) throw new ProtocolError(String(error.problem), { cause: error });
  throw error;
};

const fieldIn = (challenge: string, field: string): string | undefined => {
  const [, quoted, bare] = new RegExp(`(?:^|[\\s,])${field}=(?:"([^"]*)"|([^\\s,"]+))`).exec(challenge) ?? [];
  return quoted ?? bare;
};

/** @returns undefined for an answer that no login would change */
export const wantsIn = ({ status, headers }: Pick<Response, 'status' | 'headers'>): Wants | undefined => {
  const challenge = (headers.get('www-authenticate') ?? '').slice(0, 8_000);
  const isScope = status === 403 && fieldIn(challenge, 'error') === 'insufficient_scope';
  if (status !== 401 && !isScope) return undefined;
  const [scope, metadata] = [fieldIn(challenge, 'scope'), fieldIn(challenge, 'resource_metadata')];
  return {
    ...(scope !== undefined && Scope.safeParse(scope).success ? { scope } : {}),
    ...(metadata !== undefined && Wants.safeParse({ metadata }).success ? { metadata } : {}),
  };
};
