/** The part of `hoodiecrow-imap` that tests use; it has no types of its own. */
declare module 'hoodiecrow-imap' {
  import type { Server } from 'node:net';

  interface StoredMail {
    raw: string;
    flags: string[];
    internaldate: string;
  }
  interface Hoodiecrow {
    readonly server: Server;
    listen: (port: number, host: string) => void;
    appendMessage: (path: string, flags: readonly string[], date: Date, raw: string) => unknown;
    getMailbox: (path: string) => { readonly messages: StoredMail[] };
  }
  const hoodiecrow: (options: object) => Hoodiecrow;
  export = hoodiecrow;
}
