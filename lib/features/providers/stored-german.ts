/** German of the verbs of providers, and of what their tools answer. */
import type { SentencePair } from '../../core/language/sentence-speaker.ts';

export const PROVIDER_STORED: readonly SentencePair[] = [
  [
    'the model providers: see, add, try, order, switch off and on, remove',
    'die Modell-Anbieter: ansehen, hinzufügen, probieren, ordnen, aus- und einschalten, entfernen',
  ],
  [
    'the model providers in the order in which they are asked, and those that are off',
    'die Modell-Anbieter in der Reihenfolge, in der sie gefragt werden, und die ausgeschalteten',
  ],
  [
    'add a model provider; its key is typed in a terminal or on the page, never in a chat',
    'einen Modell-Anbieter hinzufügen; sein Schlüssel wird im Terminal oder auf der Seite getippt, nie im Chat',
  ],
  [
    'ask a provider one small question, and which models it offers',
    'einen Anbieter eine kleine Frage fragen, und welche Modelle er anbietet',
  ],
  [
    'say which providers are asked first; the others follow',
    'sagen, welche Anbieter zuerst gefragt werden; die anderen folgen',
  ],
  ['ask a provider no more; it stays here', 'einen Anbieter nicht mehr fragen; er bleibt hier'],
  ['ask a provider again, after all others', 'einen Anbieter wieder fragen, nach allen anderen'],
  [
    'take an added provider away; its key counts no more',
    'einen hinzugefügten Anbieter entfernen; sein Schlüssel gilt nicht mehr',
  ],
  ['name of the provider', 'Name des Anbieters'],
  ['address, which often ends in /v1', 'Adresse, die oft auf /v1 endet'],
  ['model, or a small and a large one', 'Modell, oder ein kleines und ein großes'],
  ['names, the first one first', 'Namen, der erste zuerst'],
  // Model providers.
  ['{1} answers, with {2}. It is added.', '{1} antwortet, mit {2}. Der Anbieter ist hinzugefügt.'],
  ['{1} answers, with {2}.', '{1} antwortet, mit {2}.'],
  ['{1} knows the key.', '{1} kennt den Schlüssel.'],
  ['It says its window: {1} tokens.', 'Er nennt sein Fenster: {1} Tokens.'],
  [
    'It says its price for a million tokens: {1} US dollars in, {2} out.',
    'Er nennt seinen Preis je Million Tokens: {1} US-Dollar hinein, {2} heraus.',
  ],
  [
    'Providers are asked in this order within ten seconds: {1}',
    'Die Anbieter werden innerhalb von zehn Sekunden in dieser Reihenfolge gefragt: {1}',
  ],
  ['It lists no models.', 'Er nennt keine Modelle.'],
  ['It offers {1} models: {2}', 'Er bietet {1} Modelle: {2}'],
  [
    'The provider {1} is removed, and asked no more within ten seconds.',
    'Der Anbieter {1} ist entfernt und wird innerhalb von zehn Sekunden nicht mehr gefragt.',
  ],
  ['Its key counts no more. This erases it: {1}', 'Sein Schlüssel gilt nicht mehr. Das löscht ihn: {1}'],
  ['{1} was not added here', '{1} wurde nicht hier hinzugefügt'],
  ['type a valid key in a terminal: {1}', 'einen gültigen Schlüssel in einem Terminal tippen: {1}'],
  ['top up the account there', 'dort das Konto aufladen'],
  [
    'name another model, or mend the address, which often ends in /v1',
    'ein anderes Modell nennen, oder die Adresse verbessern, die oft auf /v1 endet',
  ],
  ['give the address that it leads to', 'die Adresse angeben, zu der sie führt'],
  ['see that the address is right and that it runs', 'nachsehen, ob die Adresse stimmt und ob der Anbieter läuft'],
  ['mend the address, which often ends in /v1', 'die Adresse verbessern, die oft auf /v1 endet'],
  ['try again later', 'später noch einmal versuchen'],
  [
    'a provider on this machine can be added only where the agent runs at home',
    'einen Anbieter auf diesem Rechner gibt es nur, wo der Agent zu Hause läuft',
  ],
  [
    'the key of {1} is in the environment, which I cannot read here',
    'der Schlüssel von {1} steht in der Umgebung, die ich hier nicht lesen kann',
  ],
  ['in a terminal: npx passepartout models', 'in einem Terminal: npx passepartout models'],
  ['this is no address of this machine', 'das ist keine Adresse dieses Rechners'],
  ['{1} lists no models', '{1} nennt keine Modelle'],
  ['{1} offers several models', '{1} bietet mehrere Modelle'],
  ['name the one to ask behind the address', 'hinter der Adresse das eine nennen, das gefragt wird'],
  ['name the one to ask behind the address: {1}', 'hinter der Adresse das eine nennen, das gefragt wird: {1}'],
];
