/**
 * The door of the webhooks: the first look at a post, by its head alone. A post that carries no
 * proof in the form of any scheme is refused without its body, and so the same for every name.
 */
import type { HookHead, Source } from './scheme.ts';
import { SCHEMES } from './sources.ts';

/** The second part is a token, for senders that can send a secret nowhere else. */
const PATH = /^\/webhook\/([^/]+)(?:\/([^/]+))?$/;

export interface HookPath {
  readonly name: string;
  readonly pathToken: string | undefined;
}

export const readHookPath = (path: string): HookPath | undefined => {
  const [, name, pathToken] = PATH.exec(path) ?? [];
  return name === undefined ? undefined : { name, pathToken };
};

/** Headers that the owner chose stand in the entries. */
const SHAPES: readonly Pick<Source, 'scheme' | 'options'>[] = Object.keys(SCHEMES).map((scheme) => ({
  scheme,
  options: {},
}));

/** Tells nothing of a name: a proof in the form of any source opens the door of all. */
export const carriesProof = (head: HookHead, sources: ReadonlyMap<string, Source>): boolean =>
  [...SHAPES, ...sources.values()].some((source) => SCHEMES[source.scheme]?.carries(head, source) === true);
