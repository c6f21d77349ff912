/**
 * Rules about files, disks and the machine. Each takes one run and gives its danger, or undefined.
 * Pure.
 */

import { findSecretPath } from '../text/find-secret-path.ts';
import { isDevice, isProtectedPlace, isSafeDevice, isSystemFile } from './places.ts';
import { FORK_BOMB } from './read.ts';
import { hasFlag, nameOf, operandsOf, type Run } from './run.ts';

const DESTROYS = 'it destroys files of the system or a home';
const DISK = 'it writes to a disk past its file system';
const MACHINE = 'it stops or disables the machine or its protection';

const removes = (run: Run): string | undefined => {
  const targets = operandsOf(run.words);
  const isDeep =
    hasFlag(run.words, 'r') ||
    hasFlag(run.words, 'R') ||
    run.words.some((word) => /^--(?:r|recursive|no-preserve-root)/i.test(word));
  if (run.words.some((word) => /^--no-preserve-root/i.test(word))) return DESTROYS;
  return targets.some((target) => isProtectedPlace(target, isDeep)) ? DESTROYS : undefined;
};

const changesMode = (run: Run): string | undefined => {
  const isDeep =
    hasFlag(run.words, 'R') || hasFlag(run.words, 'r') || run.words.some((word) => /^--recursive/i.test(word));
  const operands = operandsOf(run.words);
  // An option may stand where a mode would: `chattr -i file`.
  const targets = nameOf(run) === 'chmod' ? operands.slice(1) : operands;
  const isMode = (word: string): boolean => /^0?[4-7][0-7]{3}$|[+=][a-z]*s/i.test(word);
  if (nameOf(run) === 'chmod' && operands.slice(0, 1).some(isMode)) return 'it lets a program run as its owner';
  if (
    targets.some(
      (target) => isSystemFile(target) || findSecretPath(target) === 'a file of the system that holds secrets',
    )
  )
    return DESTROYS;
  const isTop = (target: string): boolean => /^\/+(?:[a-z]+\/*)?$/i.test(target) && isProtectedPlace(target, isDeep);
  // The current directory is the user's own: only its deletion is too much.
  const isFar = (target: string): boolean =>
    !/^(?:\.\/?|(?:\.\/)?\*|\.git)$/.test(target) && isProtectedPlace(target, true);
  return targets.some((target) => (isDeep ? isFar(target) : isTop(target))) ? DESTROYS : undefined;
};

const finds = (run: Run): string | undefined => {
  const words = run.words.slice(1);
  if (!words.includes('-delete')) return undefined;
  const given = words.slice(
    0,
    words.findIndex((word) => /^[-(!]/.test(word)),
  );
  const roots = given.length === 0 ? ['.'] : given;
  const isFiltered = words.some((word) =>
    /^-(?:i?(?:name|path|regex)|[acm](?:time|min)|size|empty|newer\w*|type)$/.test(word),
  );
  const isHere = (root: string): boolean => root === '.' || root === './';
  return roots.some((root) => isProtectedPlace(root, true) && !(isFiltered && isHere(root))) ? DESTROYS : undefined;
};

const DISK_TOOLS: ReadonlySet<string> = new Set(
  'wipefs fdisk sfdisk gdisk sgdisk cgdisk cfdisk parted blkdiscard mkswap mke2fs mformat newfs shred srm wipe lvremove vgremove pvremove badblocks'.split(
    ' ',
  ),
);
const READ_ONLY = /^(?:-l|--list|print|-n|--no-act|--help|-h|--version|-V)$/;

const disks = (run: Run): string | undefined => {
  const name = nameOf(run);
  const { words } = run;
  if (/^mkfs(?:\.|$)/.test(name)) return DISK;
  if (DISK_TOOLS.has(name)) return words.some((word) => READ_ONLY.test(word)) ? undefined : DISK;
  const text = words.slice(1).join(' ').toLowerCase();
  switch (name) {
    case 'dd':
      return words.some(
        (word) =>
          /^of=/i.test(word) &&
          (isSystemFile(word.slice(3)) || isProtectedPlace(word.slice(3), false)) &&
          !isSafeDevice(word.slice(3)),
      )
        ? DISK
        : undefined;
    case 'diskutil':
      return /^(?:erase|zero|secureerase|partition|reformat)/.test(text) ? DISK : undefined;
    case 'btrfs':
      return /\bsubvolume delete\b/.test(text) ? DISK : undefined;
    case 'zpool':
    case 'zfs':
      return /^destroy\b/.test(text) ? DISK : undefined;
    case 'cryptsetup':
      return /\b(?:luksformat|erase|lukserase|reencrypt)\b/.test(text) ? DISK : undefined;
    case 'mdadm':
      return /--zero-superblock|--stop/.test(text) ? DISK : undefined;
    case 'hdparm':
      return /--security-erase|--trim/.test(text) ? DISK : undefined;
    case 'nvme':
      return /^(?:format|sanitize)\b/.test(text) ? DISK : undefined;
    case 'format':
      return /^[a-z]:/.test(text) ? DISK : undefined;
    default:
      return undefined;
  }
};

const machine = (run: Run): string | undefined => {
  const { words } = run;
  const text = words.slice(1).join(' ').toLowerCase();
  if (/(?:^| )--help(?: |$)/.test(text)) return undefined;
  switch (nameOf(run)) {
    case 'shutdown':
      return /(?:^| )-c(?: |$)/.test(text) ? undefined : MACHINE;
    case 'reboot':
    case 'halt':
    case 'poweroff':
    case 'killall5':
    case 'userdel':
    case 'deluser':
    case 'useradd':
    case 'adduser':
    case 'usermod':
    case 'passwd':
    case 'chpasswd':
    case 'visudo':
    case 'setenforce':
    case 'rmmod':
    case 'insmod':
      return MACHINE;
    case 'init':
    case 'telinit':
      return /^[06s]\b/.test(text) ? MACHINE : undefined;
    case 'systemctl':
      return /\b(?:poweroff|reboot|halt|kexec|emergency|rescue|isolate)\b|\b(?:stop|disable|mask)\b.*\b(?:sshd?|firewalld|ufw|auditd|apparmor|fail2ban|networking|networkmanager)\b/.test(
        text,
      )
        ? MACHINE
        : undefined;
    case 'kill':
      return /(?:^| )(?:-1|1)$/.test(text) && words.length > 2 ? MACHINE : undefined;
    case 'killall':
    case 'pkill':
      return /(?:^| )(?:init|systemd|sshd|\.|\.\*)$/.test(text) ? MACHINE : undefined;
    case 'iptables':
    case 'ip6tables':
      return /(?:^| )(?:-f|--flush|-x|-p (?:input|forward|output) accept)\b/.test(text) ? MACHINE : undefined;
    case 'nft':
      return /\bflush\b/.test(text) ? MACHINE : undefined;
    case 'ufw':
      return /\b(?:disable|reset)\b/.test(text) ? MACHINE : undefined;
    case 'crontab':
      return /(?:^| )-r/.test(text) ? 'it removes all scheduled jobs' : undefined;
    case 'docker':
    case 'podman':
      return /(?:^| )(?:-v|--volume)[ =]\/:|--mount[ =]\S*(?:source|src)=\/(?:,|$| )/.test(text)
        ? 'it hands the whole machine to a container'
        : undefined;
    case 'swapoff':
      return /-a/.test(text) ? MACHINE : undefined;
    default:
      return undefined;
  }
};

const WRITERS: ReadonlySet<string> = new Set('cp mv install ln tee truncate touch dd rsync sponge'.split(' '));

/** Programs that take the file they write as an argument. */
const writes = (run: Run): string | undefined => {
  const name = nameOf(run);
  const operands = operandsOf(run.words);
  if (name === 'sed' || name === 'perl') {
    const isInPlace = run.words.some((word) => /^-[a-z]*i/.test(word) || word.startsWith('--in-place'));
    return isInPlace && operands.some((word) => isSystemFile(word)) ? DESTROYS : undefined;
  }
  if (name === 'tar' || name === 'unzip' || name === 'bsdtar') {
    const at = run.words.findIndex(
      (word) => word === '-C' || word === '--directory' || (name === 'unzip' && word === '-d'),
    );
    const isUnpacking =
      name === 'unzip' || /x/.test(run.words[1] ?? '') || run.words.some((word) => /^-\w*x|^--extract/.test(word));
    return isUnpacking && at > 0 && /^\/(?:etc|usr|bin|sbin|lib|boot)?\/?$/.test(run.words[at + 1] ?? '')
      ? DESTROYS
      : undefined;
  }
  if (!WRITERS.has(name)) return undefined;
  const targets = name === 'tee' || name === 'truncate' || name === 'touch' ? operands : operands.slice(-1);
  if (targets.some(isDevice)) return DISK;
  if (targets.some(isSystemFile)) return DESTROYS;
  if (name === 'mv') {
    if (operands.at(-1) === '/dev/null') return DESTROYS;
    return operands.slice(0, -1).some((word) => isProtectedPlace(word, true) && word !== '*' && word !== './*')
      ? DESTROYS
      : undefined;
  }
  if (name === 'rsync' && run.words.some((word) => word.startsWith('--del'))) {
    return operands.slice(-1).some((word) => isProtectedPlace(word, true) && word !== '.' && word !== './')
      ? DESTROYS
      : undefined;
  }
  return undefined;
};

const redirects = (run: Run): string | undefined => {
  for (const { operator, target } of run.redirects) {
    if (/^\/dev\/(?:tcp|udp)\//i.test(target)) return 'it opens a network connection of the shell itself';
    if (operator === '<' || operator === '<&') continue;
    if (isDevice(target)) return DISK;
    if (isSystemFile(target)) return DESTROYS;
    if (findSecretPath(target) !== undefined) return 'it overwrites credentials';
  }
  return undefined;
};

/** The danger of a run for files, disks and the machine. */
export const fileDanger = (run: Run): string | undefined => {
  if (run.words[0] === FORK_BOMB) return 'it starts itself without end';
  switch (nameOf(run)) {
    case 'rm':
    case 'rmdir':
    case 'unlink':
    case 'rimraf':
    case 'trash':
    case 'del':
    case 'rd':
    case 'grm':
      return removes(run) ?? redirects(run);
    case 'chmod':
    case 'chown':
    case 'chgrp':
    case 'chattr':
    case 'setfacl':
      return changesMode(run) ?? redirects(run);
    case 'find':
    case 'fd':
      return finds(run) ?? redirects(run);
    default:
      return disks(run) ?? machine(run) ?? writes(run) ?? redirects(run);
  }
};
