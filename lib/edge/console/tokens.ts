/**
 * Who is asking: the approver (the owner at the page and the command line), or a script by its name
 * and scopes. Every token is compared in constant time, by its SHA-256, and always with all of
 * them, so that neither length, prefix nor place shows. An unset token opens nothing (I5).
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Scope, ScriptToken } from './api-tokens.ts';

export interface ConsoleTokens {
  readonly approverToken: string | undefined;
  readonly scripts: readonly ScriptToken[];
}

export type Caller =
  | { readonly kind: 'approver' }
  | { readonly kind: 'script'; readonly name: string; readonly scopes: ReadonlySet<Scope> };

/** At the page and the health answer. */
export const NOBODY: Caller = { kind: 'script', name: '', scopes: new Set() };

/**
 * What a route needs: `nobody` no token at all, `own` a token that may read, or one that may speak
 * for what it said itself, `speak` any that may speak.
 */
export type Need = 'nobody' | 'own' | Scope | 'approver';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** @param authorization the header `Bearer <token>` as it came. @returns undefined for anyone unknown. */
export const callerOf = (authorization: string | undefined, tokens: ConsoleTokens): Caller | undefined => {
  const given = digest(/^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '');
  const isSame = (token: string): boolean => timingSafeEqual(given, digest(token)) && token !== '';
  const found = tokens.scripts.filter(({ token }) => isSame(token));
  const isApprover = isSame(tokens.approverToken ?? '');
  const [script] = found;
  // Two owners of one token are refused when the setting is read; here nothing but the lesser is
  // left of it.
  if (script !== undefined) return { kind: 'script', name: script.name, scopes: script.scopes };
  return isApprover ? { kind: 'approver' } : undefined;
};

export const hasScope = (caller: Caller, scope: Scope): boolean =>
  caller.kind === 'approver' || caller.scopes.has(scope);

export const maySpeak = (caller: Caller): boolean => hasScope(caller, 'speak') || hasScope(caller, 'speak-as-owner');

export const isAllowed = (caller: Caller, need: Need): boolean => {
  switch (need) {
    case 'nobody':
      return true;
    case 'own':
      return hasScope(caller, 'read') || maySpeak(caller);
    case 'speak':
      return maySpeak(caller);
    case 'read':
    case 'speak-as-owner':
      return hasScope(caller, need);
    case 'approver':
      return caller.kind === 'approver';
    default:
      return need satisfies never;
  }
};

/** Why a request is refused, for whoever wrote the script. */
export const describeNeed = (need: Need): string => {
  if (need === 'approver') return "this needs the approver's token";
  return `this needs a token with the scope ${need === 'own' ? 'read' : need}`;
};
