// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell's own spelling
/** Tells places that a command must not destroy from those of its own work. */

import { describe, expect, it } from 'vitest';
import { isDevice, isProtectedPlace, isSystemFile } from '../../lib/shell/places.ts';
import { UNKNOWN } from '../../lib/shell/run.ts';
import { missesOf } from '../support/misses.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

describe('isProtectedPlace', () => {
  it('protects places, even alone', () => {
    const misses = missesOf(
      words(`
      / // /. /* /.* /?* /bin /boot /dev /etc /home /lib /lib32 /lib64 /libx32 /proc /root /run /sbin /sys /usr /var /opt /srv
      /mnt /media /system /library /applications /users /windows /nix /snap /private /data /volumes c: c:/ c:/x
      /bin/x/y /boot/x/y /dev/x/y /lib/x/y /lib32/x/y /lib64/x/y /libx32/x/y /proc/x/y /sbin/x/y /sys/x/y /system/x/y /windows/x/y
      /etc/x /usr/bin /usr/bin/x/y /usr/local /usr/src /var/log /home/ada /users/ada /media/x /mnt/x /volumes/x
      /home/ada/documents /users/ada/desktop /home/ada/pictures /home/ada/downloads /home/ada/music /home/ada/movies
      /home/ada/videos /home/ada/library /home/ada/mail /home/ada/.config /home/ada/.local /home/ada/.ssh /home/ada/.gnupg
      /home/ada/.mozilla /home/ada/.thunderbird /root/documents
      ~ ~/ ~/.. ~/* ~ada ~/documents ~/.ssh . .. ../.. ./ ./.. * .* ?* ..?* .?* .??* {*,.*} .[!.]* .[!.] /e* /*
    `),
      (place) => {
        expect(isProtectedPlace(place, false)).toBe(true);
        expect(isProtectedPlace(place, true)).toBe(true);
      },
    );
    expect(misses).toEqual([]);
  });

  it.each(
    words(
      `/etc/a/b /usr/local/bin /var/lib/mysql /var/spool/cron .git /*/x /e*/x /[ab]/x /?/x /etc/nginx/* /var/lib/*`,
    ),
  )('protects %s with all below it', (place) => {
    expect(isProtectedPlace(place, true)).toBe(true);
  });

  it.each(words(`/etc/a/b /usr/local/bin /var/lib/mysql /var/spool/cron .git /*/x /e*/x`))(
    'leaves %s alone where only itself is meant',
    (place) => {
      expect(isProtectedPlace(place, false)).toBe(false);
    },
  );

  it.each(
    words(`
      x x/y ./x ../x ~/x ~/x/documents /tmp /tmp/x /x /usr/src/x /usr/local/bin/x /var/tmp /var/tmp/x /var/log/x /var/lib/a/b
      /home/ada/code /home/ada/x/documents /root/x /root/x/documents /opt/x /srv/x c:/x/y /media/x/y /data/x x/.git .github
      documents x* *x x/.. ../x/*
    `).filter((place) => place !== 'x/..'),
  )('lets go of %s', (place) => {
    expect(isProtectedPlace(place, true)).toBe(false);
  });

  it('takes what nobody knows for nothing, and what cannot be read for the worst', () => {
    expect(isProtectedPlace('', true)).toBe(false);
    expect(isProtectedPlace(UNKNOWN, true)).toBe(false);
    expect(isProtectedPlace(`${UNKNOWN}/`, true)).toBe(true);
    expect(isProtectedPlace(`/${UNKNOWN}`, true)).toBe(true);
    expect(isProtectedPlace(`x${UNKNOWN}`, true)).toBe(false);
    expect(isProtectedPlace('a/\u0000', true)).toBe(true);
    expect(isProtectedPlace('a\u0000', true)).toBe(false);
  });
});

describe('isDevice', () => {
  it.each(
    words(
      '/dev/sda /dev/SDA /dev/mem /dev/disk/by-id/x /dev/nullx /dev/xnull /dev/fd/x /dev/pts/x /dev/ttyS0 /dev/shm',
    ),
  )('knows %s', (path) => {
    expect(isDevice(path)).toBe(true);
  });
  it.each(
    words(`
      /dev/null /dev/zero /dev/stdin /dev/stdout /dev/stderr /dev/tty /dev/full /dev/random /dev/urandom /dev/ptmx /dev/fd/10
      /dev/pts/10 /dev/shm/x/y /dev/tcp/a/1 /dev/udp/a/1 /dev dev/sda x/dev/sda /devices/x x
    `).concat('\u0000'),
  )('lets %s pass', (path) => {
    expect(isDevice(path)).toBe(false);
  });
});

describe('isSystemFile', () => {
  it.each(
    words(`
      /boot/x /bin/x /sbin/x /lib/x /lib32/x /lib64/x /sys/x /proc/x /usr/bin/x /usr/sbin/x /usr/lib/x /usr/lib64/x
      /usr/libexec/x /usr/share/x /usr/include/x /system/x /windows/x /BOOT/X /etc/x /etc/cron.d/x /etc/crontabs/x
      /etc/pam.d/x /etc/init.d/x /etc/profile.d/x /etc/ld.so.conf.d/x /etc/sudoers.d/x /etc/ssh/x /etc/rc.d/x /etc/rc1.d/x
      /etc/security/x /etc/apt/x/y .ssh/authorized_keys ~/.ssh/authorized_keys2 /home/ada/.ssh/authorized_keys
    `),
  )('knows %s', (path) => {
    expect(isSystemFile(path)).toBe(true);
  });
  it.each(
    words(`
      x bin/x /x/bin/x /bin /usr/local/x /usr/x /etc /etc/nginx/x /etc/xssh/y x/etc/passwd .ssh/authorized_keys3 x.ssh/authorized_keys
      .ssh/authorized_keys/x /home/ada/x
    `).concat('\u0000'),
  )('lets %s pass', (path) => {
    expect(isSystemFile(path)).toBe(false);
  });

  it('takes what nobody knows for nothing', () => {
    expect(isSystemFile(`/bin/${UNKNOWN}x`)).toBe(true);
    expect(isSystemFile(UNKNOWN)).toBe(false);
  });
});
