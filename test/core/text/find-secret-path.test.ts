/**
 * Every place of the table by a path of its own, its kind by name, and its nearest harmless
 * neighbours.
 */

import { describe, expect, it } from 'vitest';
import { findSecretPath } from '../../../lib/core/text/find-secret-path.ts';
import { canonicalPath } from '../../../lib/core/text/path-canonical.ts';
import { missesOf } from '../../support/misses.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

describe('findSecretPath', () => {
  it('knows directories of credentials and all below them', () => {
    const misses = missesOf(
      [
        ...words(`
      .ssh .aws .azure .gnupg .kube .password-store .passepartout .oci .config/gcloud .config/gh .config/op .config/sops
      .config/rclone .config/age .local/share/keyrings library/keychains private-keys-v1.d .mozilla/firefox
      .config/google-chrome .config/chromium .config/bravesoftware .config/microsoft-edge appdata/roaming/mozilla/firefox
      .thunderbird .electrum .bitcoin .ethereum/keystore .vault.d .talos .tsh .step/secrets .scw .cloudflared .acme.sh
      .lego .ngrok2 .near-credentials .foundry/keystores .brownie/accounts .lnd .1password .lpass .putty .gsutil .kaggle
      .snowflake .subversion/auth .envs .config/1password .config/bitwarden .config/doctl .config/filezilla
      .config/github-copilot .config/glab-cli .config/gopass .config/hcloud .config/ngrok .config/opera .config/scw
      .config/signal .config/solana .config/vivaldi .config/yubico .local/share/gopass .local/share/kwalletd
      .local/share/telegramdesktop
    `),
        'library/application support/google/chrome',
        'library/application support/firefox',
        'appdata/local/google/chrome/user data',
      ],
      (directory) => {
        const kind = 'a directory of credentials';
        for (const path of [
          directory,
          `/home/ada/${directory}`,
          `~/${directory}/notes/plan.md`,
          directory.toUpperCase(),
        ])
          expect(findSecretPath(path), path).toBe(kind);
        for (const path of [`my${directory}/plan.md`, `${directory}s/plan.md`, `${directory}.md`])
          expect(findSecretPath(path), path).not.toBe(kind);
      },
    );
    expect(misses).toEqual([]);
  });

  it('knows files of the system, and only there', () => {
    const misses = missesOf(
      words(`
      /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/master.passwd /etc/sudoers /etc/sudoers.d/ada /etc/krb5.keytab
      /etc/ssl/private/x /etc/letsencrypt/live/a.example/x /etc/letsencrypt/archive/a.example/x /etc/kubernetes/admin.conf
      /etc/rancher/k3s/k3s.yaml /proc/1/environ /proc/self/mem /proc/1/cmdline /proc/1/task/2/environ /proc/kcore /dev/mem
      /dev/kmem /run/secrets/x /var/run/secrets/a/b/c /run/secrets/a/b/c /var/lib/docker/x
      /etc/security/opasswd /etc/wireguard/x /etc/networkmanager/system-connections/x /var/backups/shadow
      /var/backups/gshadow /proc/self/root/x /run/credentials/x /run/user/1000/keyring/x
    `),
      (path) => {
        const kind = 'a file of the system that holds secrets';
        expect(findSecretPath(path)).toBe(kind);
        expect(findSecretPath(`${path}/below`)).toBe(kind);
        expect(findSecretPath(path.slice(1))).not.toBe(kind);
        expect(findSecretPath(`/srv${path}`)).not.toBe(kind);
      },
    );
    expect(misses).toEqual([]);
  });

  it('knows files of credentials, wherever they stand', () => {
    const misses = missesOf(
      words(`
      .docker/config.json .dockerconfigjson .gem/credentials .cargo/credentials .cargo/credentials.toml .m2/settings.xml
      .m2/settings-security.xml .gradle/gradle.properties .terraform.d/credentials.tfrc.json .config/git/credentials
      .config/hub .config/heroku/credentials.json .composer/auth.json .config/configstore/firebase-tools.json
      .config/netlify/config.json .fly/config.yml .netlify/config.json .wrangler/config/default.toml
      .env .env.local .env_old .env-2 .envrc production.env prod.env staging.env local.env dev.env .netrc netrc _netrc
      .git-credentials .npmrc .yarnrc.yml .pypirc .pgpass .my.cnf .mylogin.cnf .vault-token .boto .s3cfg .htpasswd .rhosts
      .terraformrc .bash_history .zsh_history .psql_history .mysql_history .python_history .node_repl_history
      .sqlite_history .rediscli_history auth.json kubeconfig kubeconfig.prod kubeconfig_old kubeconfig-2
      id_rsa id_dsa id_ecdsa id_ed25519 id_ed25519_sk my.id_rsa my-id_rsa my_id_rsa id_rsa.old id_rsa-2 id_rsa_2
      credential credentials creds secret secrets password passwords passwd token tokens api-key api_keys apikey private-key
      private_keys privatekey my.secret my-token my_creds secrets-prod secrets_production secrets-dev secrets-staging
      secrets-local secrets-backup secrets-old secrets-file secrets-db secrets.json secrets.yml secrets.yaml secrets.txt
      secrets.ini secrets.conf secrets.cfg secrets.toml secrets.xml secrets.csv secrets.env secrets.properties secrets.enc
      secrets.gpg secrets.bak secrets.old secrets.key secrets.db secrets.kdbx secrets.dat secrets.xls secrets.xlsx
      secrets.log secrets.swp secrets.json.bak passwd- client_secret.json client_secret-1.json service-account.json
      service_account.json serviceaccount-x.json a.pem a.key a.p12 a.pfx a.p8 a.ppk a.jks a.keystore a.kdb a.kdbx
      a.keychain a.keychain-db a.ovpn a.tfstate a.tfvars a.asc a.gpg a.pgp a.cert a.crt a.csr secring.gpg secring.x
      wallet.dat cookies cookies.sqlite logins.json key3.db key4.db sam ntds.dit wp-config.php database.yml master.key
      terraform.tfstate terraform.tfstate.backup
      app.env my-app.env .dev.vars .dev.vars.production prod.tfvars.json a.auto.tfvars.json local.settings.json .dockercfg
      my-project-key.json site-firebase-adminsdk-ab1-c2.json .yarnrc
      .env~ #.env# .#.env ..env.swp .npmrc.bak .netrc.old id_ed25519.old a.pem.1 a.key~ .pypirc.orig credentials~ app.env.bak
      .env-old .npmrc-backup prod.env_bak prod.env.txt prod.env.gz prod.env.~1~ .dev.vars-old a.env.un~ a-key_old.json key.json
      local.settings-old.json .dockercfg-2 .yarnrc_old a.tfvars.json-new app-adminsdk.json .netrc.tar.gz .prod.env.kate-swp
      secret_key secret-key-base secretkey.txt master_key encryption.key aes_secret_key.bin access_keys.csv user_accesskeys.csv
      rootkey.csv unseal_keys vault-keys.json .vault_pass vault-password.txt db_pass dbpass.txt sasl_passwd passphrase
      recovery-codes.txt backup_codes seed-phrase.txt mnemonic token.pickle deploy_key github-deploy-key work_rsa
      ssh_host_ed25519_key .authinfo .msmtprc .sentryclirc .gitcookies .databrickscfg .erlang.cookie .claude.json .xauthority
      .passwd-s3fs .smbcredentials htpasswd .htdigest pgpass.conf krb5cc_1000 u2f_keys adbkey kaggle.json acme.json sftp.json
      accesstokens.json sitemanager.xml winscp.ini confcons.xml wpa_supplicant.conf wg0.conf bitwarden_export.json
      lastpass.csv initialadminpassword utc--2024-01-01t00-00-00.0z--abc key.properties env.production cookies.txt
      a.psafe3 a.1pux a.keyring a.keytab a.macaroon a.nmconnection a.pk8 a.pkcs12 cookies-journal key4.db-wal
      wp-config-backup.php wp-config.old .sh_history .irb_history fish_history .histfile
      .flaskenv vault.yml group_vars/all/vault.yaml vault-prod.yml rclone.conf .rclone.conf sops.yaml prod.sops.json
      keys.txt age-key.txt key.txt identity.txt appsettings.production.json appsettings.dev-1.json
      application-prod.properties application-local.yml bootstrap-prod.yaml
      .pgpass.save a.tfvars.json.copy .git-credentials.tmp a.p12.bak.2 .docker/config.json.bak .kubeconfig.old
    `).concat('login data', 'web data', '.env copy', '.env (1)', 'a-key (1).json', 'a-key copy 2.json'),
      (name) => {
        expect(findSecretPath(name)).toBe('a file of credentials');
        expect(findSecretPath(`/srv/App/${name.toUpperCase()}`)).toBe('a file of credentials');
      },
    );
    expect(misses).toEqual([]);
  });

  it.each(
    words(`
      a.pub .ssh/id_rsa.pub .env.example env.sample .env.template env.dist .env.schema .ssh/known_hosts known_hosts.old
      .gnupg/pubring.kbx pubring.gpg app.env.example a.pub~
      wp-config-sample.php
    `),
  )('lets %s through, which is public by purpose', (path) => {
    expect(findSecretPath(path)).toBeUndefined();
  });

  it('lets files through that only look like them', () => {
    const misses = missesOf(
      [
        ...words(`
      a.pubx env.examples known_hosts.md known_hosts.old2 xpubring.gpg.md pubring.kbx2 x.env.ts environment
      .environment .envrc2 preprod.environment prod.env.md my.netrc netrc2 x.netrc _netrc2 my_netrc .npmrc.md x.npmrc
      .yarnrc.yml2 .pypirc2 .pgpass2 .my.cnf2 x.my.cnf .boto3 .s3cfg2 .htpasswd2 .rhosts2 .terraformrc2
      .fish_history bash_history .bash_history2 oauth.json auth.json5 xkubeconfig kubeconfigs myid_rsax id_rsax id_rsa2
      mysecret secretx secretary.md tokenizer.ts keys.ts secrets.ts secrets-review.md secrets.json.ts tokens-new.ts
      passwd-2.md xpasswd2 client_secret.md client_secrets.ts service.account.md my_service_account.ts a.pemx apem key
      a.certificate secring xsecring.ts wallet.data xwallet.dat.md cookies.md xcookies login-data logins.jsonl key5.db
      sample sam.md ntds.dit2 wp-config.phps database.yaml master.keys terraform.tfstate.md x/.docker/config.yml
      docker/config.json .m2/settings.md .config/hubs my.config/hub etc/shadow /etc/shadows /etc/shadow.md /etc /proc/1/environs
      /proc/environ /proc/1/2/environ /etc/ssl/certs/x /etc/letsencrypt/live/README /dev/memory /run/secret/x
      /var/lib/dockerx/x x.environment a.environ dev.vars settings.json dockercfg keys.json monkey.json passport.txt bypass.txt pass.md secret-key.md master-key.ts seed.txt
      flaskenv.md vaults.yml vault.md rclone.md sops.md keys.txt.md monkeys.txt appsettings.json application.properties
      application-prod.md myapplication-a.properties
      mnemonic.ts recovery.md cookie.md wireguard.conf sftp.md env.ts env.md settings.php config.php keyring.md access.log adminsdk.json
      yarnrc.lock notes.md~ a.ts.bak ~ # .# package.json.orig a.tfvars.jsonl
    `),
        'login data.md',
        'my web data',
      ],
      (path) => {
        expect(findSecretPath(path)).toBeUndefined();
      },
    );
    expect(misses).toEqual([]);
  });

  it('says of a pattern that it is one', () => {
    expect(findSecretPath('~/.ssh/*')).toBe('a directory of credentials');
    expect(findSecretPath('.env*')).toBe('a pattern that names credentials');
    expect(findSecretPath('.e?v')).toBe('a pattern that names credentials');
  });

  it('takes a pattern for what it could name', () => {
    const misses = missesOf(
      [
        ...words(`
      /etc/sha*w /etc/*shadow /etc/gsh?dow /etc/s[tu]doers /etc/pass[w]d .s?h/id_rsa x/.ss*/id_ed25519 .ssh*/authorized_keys
      .aw*/credential* .kub?/config .docke?/config.json .e?v .netr* .npmr? .pgp* .git-credential? /proc/sel?/environ
      /proc/[s]elf/environ .[e]nv .en[]v] .e** .*nv .*n*v* e/.e* /etc/?shadow *c/*d*
    `),
      ],
      (path) => {
        expect(findSecretPath(path)).toBeTypeOf('string');
      },
    );
    expect(misses).toEqual([]);
  });

  it.each(
    words(`
      * ** */* *.md .e?x? ?env [.]env *nv .e[x]v? .en /etc/sh*ws etc/*x .env?x .[ .e[nv s*/id_r .*x
    `),
  )('takes the pattern %s for nothing in particular', (path) => {
    expect(findSecretPath(path)).toBeUndefined();
  });

  it('has no opinion on what has no canonical form', () => {
    expect(findSecretPath('\u0000/.env')).toBeUndefined();
  });
});

describe('canonicalPath', () => {
  it.each([
    ['~', '~'],
    ['~/..', '~/..'],
    ['~/a/..', '~'],
    ['x/~/..', 'x'],
    ['a/../..', '..'],
    ['..', '..'],
    ['/..', '/'],
    ['a/..', '.'],
    ['.//', '.'],
    ['a~/..', '.'],
    ['~ada/..', '~ada/..'],
    ['./../a', '../a'],
    [' %20a%20 ', 'a'],
    ['file:///a', '/a'],
    ['file://localhost/a', '/a'],
    ['...', '.'],
    ['a/.../b', 'a/b'],
    ['a/. ./b', 'a/b'],
    ['a /b', 'a/b'],
    [' a ', 'a'],
    ['$HOMES/x', '$HOMES/x'],
    ['x/$HOME', 'x/$HOME'],
    ['$home', '~'],
    ['file:a', 'a'],
    ['file://a', '/a'],
    ['file:////a', '/a'],
    ['file://localhost', '/localhost'],
    ['profile:///a', 'profile:/a'],
    ['%zz', '%zz'],
    ['%41%zz%2F', 'A%zz'],
    ['%E4', 'ä'],
    ['%c3%a4', 'ä'],
    ['a\ufe0fb', 'ab'],
    ['C:\\x\\..\\y', 'C:/y'],
    [`${'a'.repeat(4_096)}`, 'a'.repeat(4_096)],
  ])('turns %j into %j', (path, expected) => {
    expect(canonicalPath(path)).toBe(expected);
  });

  it.each([
    ['a'.repeat(4_097)],
    ['%41'.repeat(1_366)],
    ['ﷺ'.repeat(300)],
    ['a\u007fb'],
    ['a\u001fb'],
    ['%20'],
    ['\u200b'],
  ])('has none for %j', (path) => {
    expect(canonicalPath(path)).toBeUndefined();
  });
});
