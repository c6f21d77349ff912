/** The code behind the routes of the page, loaded with the first request for one. */
import { showFigures } from './figures.ts';
import { showChanges, showHome } from './home.ts';
import { answerManifest, answerPage, answerPart, answerVerifier } from './page.ts';

export const PAGE_CONSOLE = {
  answerManifest,
  answerPage,
  answerPart,
  answerVerifier,
  showChanges,
  showFigures,
  showHome,
} as const;
