/** The words of `/help` in German; `help-lines.ts` has the English ones. */

import { inGerman } from '../../language/stored-german.ts';
import type { HelpWords } from './help-lines.ts';

export const DE: HelpWords = {
  fixed: [
    '/stop oder STOPP – jede Handlung sofort anhalten; von einem Mitglied einer Gruppe hält es nur dieses Gespräch an',
    '/resume – nach einem Halt weitermachen',
    '/help – diese Liste; /help jobs sagt, wie ein Befehl geschrieben wird, /help wie verbinde ich einen Rechner fragt das Handbuch',
    '/ingest – mit einer Datei, oder als Antwort auf eine: ihren Text ins Gedächtnis nehmen',
  ],
  also: 'Außerdem',
  say: inGerman,
};
