/**
 * Letters that look like ASCII ones, as data: the sort a person cannot tell from the real thing (Unicode's report 39 has
 * thousands; these are the alphabets and signs that keyboards, fonts and punycode make easy to use). Full-width,
 * mathematical, circled and superscript letters are not here: NFKD folds them by itself.
 * Each row: the ASCII character, then all that stand for it; case is kept. No stand-in is itself ASCII.
 */
const ROWS: readonly string[] = [
  ...['AАΑᎪ', 'BВΒᏴ', 'CСϹᏟ', 'DᎠ', 'EЕΕᎬ', 'GԌᏀ', 'HНΗᎻ', 'IІΙӀ', 'JЈᎫ', 'KКΚᏦ', 'LᏞ', 'MМΜᎷ', 'NΝ', 'OОΟՕ'],
  ...['PРΡᏢ', 'QԚ', 'SЅՏᏚ', 'TТΤᎢ', 'VᏙѴ', 'WԜᎳ', 'XХΧ', 'YУΥҮ', 'ZΖᏃ'],
  ...['aаαɑ', 'bЬƅ', 'cсϲ', 'dԁđ', 'eеҽ', 'gɡց', 'hһհħ', 'iіιıɩ', 'jјϳ', 'kκк', 'lӏł', 'nոп', 'oоοօøσς', 'pрρ'],
  ...['qԛզ', 'rг', 'sѕ', 'tтτŧ', 'uυսʋ', 'vνѵ', 'wԝѡω', 'xхχ', 'yуγү'],
  ...['-‐‑‒–—−⁃', "'‘’ʼ′‵", '"“”″', '/⁄∕⧸', '\\∖⧵', ':ː∶꞉։', '.。٠۰', ',‚', '|ǀ∣', '*∗⁎', '~∼', '<‹', '>›', '_ˍ'],
];

export const CONFUSABLES: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap((row) => {
    const [ascii = '', ...others] = row;
    return others.map((other): [string, string] => [other, ascii]);
  }),
);
