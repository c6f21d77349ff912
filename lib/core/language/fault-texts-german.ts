/** Failures of providers and what mends them, in German. Pure. */
import type { FAULTS as EN_FAULTS } from './fault-texts.ts';
import { type CURES as EN_CURES, PAGE } from './finding-texts.ts';

export const FAULTS: typeof EN_FAULTS = {
  busy: 'begrenzt, wie oft er gefragt werden darf',
  down: 'ist nicht erreichbar',
  slow: 'hat nicht rechtzeitig geantwortet',
  server: 'hat selbst eine Störung',
  auth: 'lehnt den Schlüssel ab',
  denied: 'erlaubt das nicht, obwohl er den Schlüssel kennt',
  billing: 'hat kein Guthaben mehr',
  model: 'kennt an dieser Adresse kein solches Modell',
  tools: 'nimmt keine Werkzeuge an',
  overflow: 'sagt, die Anfrage sei zu lang',
  policy: 'lehnt solchen Inhalt ab',
  request: 'hat die Anfrage abgelehnt',
  answer: 'antwortet in einem anderen Format',
  empty: 'gab eine leere Antwort',
  unasked: 'wurde nicht gefragt',
  unknown: 'ist aus unbekanntem Grund gescheitert',
};

export const SET_UP = 'npx passepartout setup --only model, dann neu starten';

export const CURES: typeof EN_CURES = {
  busy: () => `warten, oder dort die Grenze dieses Schlüssels anheben lassen (${PAGE})`,
  down: () => `es wird von selbst wieder versucht; Adresse und Netz prüfen (${PAGE})`,
  slow: (_, mend) => `es wird von selbst wieder versucht; ein kleineres Modell antwortet schneller (${mend})`,
  server: () => `es wird von selbst wieder versucht; seine eigene Seite zum Betrieb sagt mehr (${PAGE})`,
  auth: (place, mend) => `einen gültigen in ${place} setzen (${mend})`,
  denied: (_, mend) =>
    `das Modell dort für Konto, Projekt und Region erlauben lassen, oder ein anderes wählen (${mend})`,
  billing: () => `Guthaben auf das Konto laden (${PAGE})`,
  model: (_, mend) => `eines wählen, das er hat, oder die Adresse berichtigen (${mend})`,
  tools: (_, mend) =>
    `ein Modell wählen, das Werkzeuge annimmt (${mend}), oder in PROVIDERS "tools": false dazu schreiben`,
  overflow: (_, mend) => `ein Modell mit größerem Kontextfenster wählen (${mend})`,
  policy: (_, mend) => `anders fragen, oder ein anderes Modell wählen (${mend})`,
  request: (_, mend) => `ein anderes Modell oder eine andere Adresse wählen (${mend})`,
  answer: (_, mend) => `die Adresse berichtigen; oft endet sie mit /v1 (${mend})`,
  empty: (_, mend) => `noch einmal fragen, oder ein anderes Modell wählen (${mend})`,
  unasked: () => 'noch einmal senden',
  unknown: () => `noch einmal senden; das Log sagt vielleicht mehr (${PAGE})`,
};
