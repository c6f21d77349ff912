/**
 * Chooses the version of each function that a stack goes back to, all of the same release. A
 * function that did not exist then stays as it is; nothing sends to it. Pure.
 */
import type { DeployedFunction } from '../../lib/core/store/stack-releases.ts';
import { parseRelease, type ReleaseMark } from '../releases.ts';
import { CliError, EXIT } from './terminal.ts';

interface Move {
  readonly name: string;
  /** Versions; the same twice if the function stays. */
  readonly from: string;
  readonly to: string;
}

export interface GoBackPlan {
  readonly release: string;
  readonly publishedAt: string;
  /** The newest version of data that the release can read. */
  readonly data: number;
  readonly moves: readonly Move[];
}

interface KnownVersion extends ReleaseMark {
  readonly version: string;
  readonly publishedAt: string;
}

interface KnownFunction {
  readonly live: KnownVersion;
  /** The oldest first. */
  readonly versions: readonly KnownVersion[];
}

/** A person looks for one of the last few. */
const RELEASES_LISTED_MAX = 8;

const describe = ({ release, publishedAt }: KnownVersion): string => `${release} (${publishedAt.slice(0, 16)})`;

const parseFunction = ({ live, versions }: DeployedFunction): KnownFunction => {
  const known = versions.flatMap(({ version, description, publishedAt }): KnownVersion[] => {
    const mark = parseRelease(description);
    return mark === undefined ? [] : [{ ...mark, version, publishedAt }];
  });
  const found = known.find(({ version }) => version === live);
  if (found === undefined)
    throw new CliError(
      EXIT.failed,
      `version ${live} of a function does not say of which release it is`,
      'deploy the earlier commit instead: git checkout <commit> && npm ci && npm run deploy',
    );
  return { live: found, versions: known };
};

/** The newest version of each release, the oldest first. */
const releasesOf = ({ versions }: KnownFunction): readonly KnownVersion[] => [
  ...new Map(versions.map((version) => [version.release, version])).values(),
];

const chooseRelease = (first: KnownFunction, wanted: string | undefined): KnownVersion => {
  const { live } = first;
  const releases = releasesOf(first).filter(({ release }) => release !== live.release);
  const found =
    wanted === undefined
      ? releases.findLast(({ version }) => Number(version) < Number(live.version))
      : releases.find(({ release }) => release === wanted);
  if (found !== undefined) return found;
  const listed = releases.slice(-RELEASES_LISTED_MAX).map(describe).join(', ') || 'none';
  throw new CliError(
    EXIT.failed,
    wanted === undefined
      ? `there is no release before ${describe(live)}; nothing was changed`
      : `there is no release ${wanted} besides the one in use, ${describe(live)}; nothing was changed`,
    `other releases that are kept: ${listed}`,
  );
};

/** @throws CliError if there is no such release */
export const planGoBack = (functions: readonly DeployedFunction[], wanted?: string): GoBackPlan => {
  const known = functions.map(parseFunction);
  const [first] = known;
  if (first === undefined) throw new CliError(EXIT.failed, 'the stack names no functions');
  const { release, publishedAt, data } = chooseRelease(first, wanted);
  const moves = known.map(({ live, versions }) => {
    const target = versions.findLast((version) => version.release === release) ?? live;
    return { name: live.name, from: live.version, to: target.version };
  });
  return { release, publishedAt, data, moves };
};
