/** Shell rule about git: what rewrites or removes history that others share, or files git does not keep. Pure. */
import { programOf, type Run } from './shell-run.ts';

const HISTORY = 'it rewrites or removes shared history';
const SHARED =
  /^(?:\+?(?:[^:]*:)?)(?:refs\/heads\/)?(?:main|master|trunk|develop|production|prod|staging|stable|release(?:[/-].*)?|head|\*)$/i;

/** Words from the subcommand on. */
const fromSubcommand = (words: readonly string[]): readonly string[] => {
  let index = 1;
  while (index < words.length) {
    const word = words[index] ?? '';
    if (word === '-C' || word === '-c' || word === '--git-dir' || word === '--work-tree') index += 2;
    else if (word.startsWith('-')) index += 1;
    else break;
  }
  return words.slice(index);
};

const pushes = (words: readonly string[]): string | undefined => {
  const [, ...refs] = words.slice(1).filter((word) => !word.startsWith('-'));
  if (words.includes('--dry-run') || words.includes('-n')) return undefined;
  if (words.includes('--mirror') || words.includes('--prune')) return HISTORY;
  const isShared = refs.length === 0 || refs.some((ref) => SHARED.test(ref));
  const isDeleting = words.includes('--delete') || words.includes('-d');
  if (refs.some((ref) => ref.startsWith(':') && SHARED.test(ref)) || (isDeleting && isShared)) return HISTORY;
  const isForced = words.some((word) => word === '--force' || /^-[a-z]*f[a-z]*$/i.test(word));
  if (isForced && (isShared || words.includes('--all'))) return HISTORY;
  return refs.some((ref) => ref.startsWith('+') && SHARED.test(ref)) ? HISTORY : undefined;
};

const cleans = (words: readonly string[]): string | undefined => {
  const flags = words.filter((word) => /^-[a-z]+$/i.test(word)).join('');
  if (/n/.test(flags) || words.includes('--dry-run')) return undefined;
  const isForced = /f/i.test(flags) || words.includes('--force');
  const isEverything = /x/i.test(flags) || words.some((word) => word === '/' || word === '~');
  return isForced && isEverything ? 'it removes files git does not keep' : undefined;
};

export const gitDanger = (run: Run): string | undefined => {
  if (programOf(run.words[0]) !== 'git') return undefined;
  const words = fromSubcommand(run.words);
  const text = words.slice(1).join(' ');
  switch (words[0]?.toLowerCase()) {
    case 'push':
      return pushes(words);
    case 'clean':
      return cleans(words);
    case 'filter-branch':
    case 'filter-repo':
      return HISTORY;
    case 'reflog':
      return /^(?:expire|delete)\b/i.test(text) ? HISTORY : undefined;
    case 'update-ref':
      return /(?:^| )-d(?: |$)/.test(text) ? HISTORY : undefined;
    case 'branch':
      return /(?:^| )-(?:D|d|-delete)(?: |$)/i.test(text) && words.slice(1).some((word) => SHARED.test(word))
        ? HISTORY
        : undefined;
    default:
      return undefined;
  }
};
