/** Pages of the manual: traces. */
import type { ManualPage } from '../manual-pages.ts';

export const TRACE_PAGES: readonly ManualPage[] = [
  {
    title: 'See each turn as a trace (OpenTelemetry)',
    german: 'Jeden Durchgang als Spur sehen, in einem Sammler von OpenTelemetry',
    words:
      'trace traces span opentelemetry otel otlp jaeger tempo grafana observability monitoring latency collector ' +
      'Spur Spuren Sammler Beobachtung Überwachung Dauer Laufzeit',
    steps: [
      [
        'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318',
        'a line of .env: ended turns are sent there each minute, without their words',
        'eine Zeile in .env: beendete Durchgänge gehen jede Minute dorthin, ohne ihre Worte',
      ],
      [
        'TRACES_CONTENT=on',
        'a line of .env: words, arguments and outputs go along, without secrets and private texts',
        'eine Zeile in .env: Worte, Argumente und Ausgaben gehen mit, ohne Geheimnisse und private Texte',
      ],
    ],
    see: 'lib/features/traces/README.md',
  },
];
