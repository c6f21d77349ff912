/**
 * Places that a command must not destroy or overwrite: the root, homes, the system's directories,
 * devices. Takes a word as the shell hands it over. Unknown values in it count as empty, as an
 * unset variable is. Pure.
 */

import { canonicalPath } from '../text/path-canonical.ts';
import { UNKNOWN } from './run.ts';

const SYSTEM_TOPS: ReadonlySet<string> = new Set(
  'bin boot dev etc home lib lib32 lib64 libx32 proc root run sbin sys usr var opt srv mnt media system library applications users windows nix snap private c: data volumes'.split(
    ' ',
  ),
);
/** Everything below them is the system's. */
const DEEP_TOPS: ReadonlySet<string> = new Set(
  'bin boot dev lib lib32 lib64 libx32 proc sbin sys system windows'.split(' '),
);
const PERSONAL: ReadonlySet<string> = new Set(
  'documents desktop pictures downloads music movies videos library mail .config .local .ssh .gnupg .mozilla .thunderbird'.split(
    ' ',
  ),
);

/** A last part that stands for everything in its directory. */
const EVERYTHING = /^(?:\*+|\.\*|\.\?{1,2}\*|\.\[!?\^?\.?\]\*?\*?|\.\[!\.\]\*|\?\*|\{\*,\.\*\}|\.\.\?\*)$/;

const isUnder = (parts: readonly string[], isDeep: boolean): boolean => {
  const [top = '', second = ''] = parts;
  if (!SYSTEM_TOPS.has(top)) return false;
  const depth = parts.length;
  if (depth === 1 || DEEP_TOPS.has(top)) return true;
  switch (top) {
    case 'etc':
      return isDeep || depth === 2;
    case 'usr':
      if (second === 'src') return depth === 2;
      return depth === 2 || (second === 'local' ? isDeep && depth === 3 : true);
    case 'var':
      if (second === 'tmp') return false;
      return depth === 2 || (isDeep && depth === 3 && (second === 'lib' || second === 'spool'));
    case 'home':
    case 'users':
    case 'media':
    case 'mnt':
    case 'volumes':
      return depth === 2 || (depth === 3 && PERSONAL.has(parts[2] ?? ''));
    case 'root':
      return depth === 2 && PERSONAL.has(second);
    case 'c:':
      return depth === 2;
    default:
      return false;
  }
};

/**
 * Whether destroying this place destroys a system, a home, or the whole current directory.
 * @param isDeep if everything below goes too
 */
export const isProtectedPlace = (word: string, isDeep: boolean): boolean => {
  if (word === '' || word === UNKNOWN) return false;
  const path = canonicalPath(word.replaceAll(UNKNOWN, ''));
  if (path === undefined) return word.includes('/');
  const parts = path.toLowerCase().split('/');
  const isAll = EVERYTHING.test(parts.at(-1) ?? '');
  if (isAll) parts.pop();
  if (parts.length === 0) return true;
  const [first = ''] = parts;
  if (first === '') {
    const rest = parts.slice(1).filter((part) => part !== '');
    if (rest.length === 0) return true;
    // `/*/x` reaches into every directory of the root, `/e*` into those it matches.
    if (/[*?[]/.test(rest[0] ?? '')) return rest.length === 1 || isDeep;
    return isUnder(rest, isDeep || isAll);
  }
  if (first.startsWith('~') && parts.slice(1).every((part) => part === '..')) return true;
  if (first.startsWith('~')) return parts.length === 2 && PERSONAL.has(parts[1] ?? '');
  if (first === 'c:') return isUnder(parts, isDeep || isAll);
  if (parts.every((part) => part === '..' || part === '.')) return true;
  return isDeep && parts.length === 1 && first === '.git';
};

const SAFE_DEVICES = /^\/dev\/(?:null|zero|stdin|stdout|stderr|tty|full|random|urandom|ptmx|fd\/\d+|pts\/\d+|shm\/.*)$/;

/** `/dev/null` and the like keep nothing. */
export const isSafeDevice = (word: string): boolean => SAFE_DEVICES.test(canonicalPath(word)?.toLowerCase() ?? '');

/** A disk, a partition or memory: no file. */
export const isDevice = (word: string): boolean => {
  const path = canonicalPath(word)?.toLowerCase() ?? '';
  return path.startsWith('/dev/') && !SAFE_DEVICES.test(path) && !/^\/dev\/(?:tcp|udp)\//.test(path);
};

const SYSTEM_FILE =
  /^\/(?:boot|bin|sbin|lib|lib32|lib64|sys|proc|usr\/(?:bin|sbin|lib|lib64|libexec|share|include)|system|windows)\//;
const SYSTEM_LISTS =
  /^\/etc\/(?:[^/]+|(?:cron[^/]*|pam\.d|init\.d|profile\.d|ld\.so\.conf\.d|sudoers\.d|ssh|rc\d?\.d|security|apt)\/.*)$/;

/** A file of the system, or one that decides who may log in. */
export const isSystemFile = (word: string): boolean => {
  const path = canonicalPath(word.replaceAll(UNKNOWN, ''))?.toLowerCase() ?? '';
  return SYSTEM_FILE.test(path) || SYSTEM_LISTS.test(path) || /(?:^|\/)\.ssh\/authorized_keys2?$/.test(path);
};
