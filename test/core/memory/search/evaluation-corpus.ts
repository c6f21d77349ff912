/**
 * 540 notes of one household and 100 questions about them, each with the one note that answers it.
 * 45 things, each known by several names, times 12 kinds of fact, each said in several ways. Three
 * questions in four name the thing and ask for the fact, half of them in the note's words and half
 * in others, and two in five by a name of the thing that the note does not use; one in four gives a
 * number from the note and nothing else. So each has 11 distractors about the same thing and 44
 * about the same fact. Nothing is random: which name and which wording follow from where a note
 * stands.
 */

export interface EvaluationNote {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
}

export interface EvaluationQuestion {
  readonly text: string;
  /** Id of the note that answers it. */
  readonly answer: string;
}

/** Names of one thing `|` separated; then words that go with it, whatever it is called. */
const THINGS = [
  ['bicycle|bike|velo', 'pedal chain saddle brake cycling ride'],
  ['car|automobile|motor', 'engine tyre fuel windscreen driving road'],
  ['television|telly|TV', 'screen channel remote picture watching'],
  ['sofa|couch|settee', 'cushion upholstery sitting lounge fabric'],
  ['refrigerator|fridge|cooler', 'cold milk shelf temperature freezer'],
  ['vacuum cleaner|hoover|dust sucker', 'dust carpet bag suction floor'],
  ['laptop|notebook computer|portable', 'keyboard battery charger display software'],
  ['mobile phone|cellphone|handset', 'call sim contract ringing number'],
  ['lawn mower|grass cutter|mower', 'grass blade garden cutting lawn'],
  ['washing machine|washer|laundry machine', 'laundry drum detergent spin clothes'],
  ['spectacles|glasses|eyewear', 'lens frame sight optician reading'],
  ['camera|photo apparatus|SLR', 'shutter photo zoom film aperture'],
  ['umbrella|brolly|parasol', 'rain handle wet storm fold'],
  ['wristwatch|watch|timepiece', 'strap dial hour wrist second'],
  ['guitar|six-string|acoustic', 'chord string pick music tuning'],
  ['tent|camping shelter|canvas house', 'camping pole pegs sleeping outdoors'],
  ['backpack|rucksack|knapsack', 'hiking strap pocket carrying trail'],
  ['kettle|water boiler|teamaker', 'tea boiling steam spout limescale'],
  ['coffee machine|espresso maker|percolator', 'beans grinder cup crema filter'],
  ['oven|cooker|stove', 'baking heat tray roast thermostat'],
  ['radiator|heater|heating unit', 'warm winter valve bleeding boiler'],
  ['piano|upright|keyboard instrument', 'keys pedal tuning melody concert'],
  ['motorcycle|motorbike|two-wheeler', 'helmet throttle exhaust gear riding'],
  ['canoe|kayak|paddle boat', 'paddle river water hull drifting'],
  ['sewing machine|stitcher|needlework machine', 'thread needle bobbin seam cloth'],
  ['drill|power drill|boring tool', 'bit hole wall screw torque'],
  ['ladder|steps|stepladder', 'rung climb height roof wobble'],
  ['doctor|physician|GP', 'practice prescription health checkup patient'],
  ['dentist|tooth doctor|orthodontist', 'teeth filling toothache crown cleaning'],
  ['lawyer|solicitor|attorney', 'contract court legal advice document'],
  ['plumber|pipe fitter|water man', 'pipe leak tap drain sink'],
  ['teacher|tutor|schoolmaster', 'lesson homework class school grade'],
  ['cat|kitten|pussycat', 'purring mouse litter whiskers meow'],
  ['dog|hound|puppy', 'bark leash walk bone fetch'],
  ['horse|pony|mare', 'stable hoof bridle gallop hay'],
  ['cottage|cabin|holiday house', 'lake porch chimney weekend woods'],
  ['cellar|basement|vault downstairs', 'damp stairs storage wine underground'],
  ['attic|loft|room under the roof', 'beam insulation hatch dusty boxes'],
  ['garage|car shed|lock-up', 'door parking workbench oil shutter'],
  ['greenhouse|glasshouse|hothouse', 'tomato seedling pane humid watering'],
  ['mattress|bed pad|bedding slab', 'sleep spring night sheet firm'],
  ['printer|printing device|laser jet', 'paper toner page cartridge jam'],
  ['router|modem|wifi box', 'internet network signal cable password-less'],
  ['passport|travel document|identity booklet', 'border visa photo stamp abroad'],
  ['suitcase|luggage|trunk', 'wheels packing airport travel lock'],
] as const;

/** A fact's wordings in notes, its wordings in questions, and what fills `%`. `@` is the thing. */
const FACTS = [
  {
    says: ['The @ is kept in the %.', 'You find the @ in the %, behind the door.', 'We store the @ in the %.'],
    asks: ['Where is the @ kept?', 'In which place is the @ lying?'],
    fill: 'hall cupboard|back room|blue chest|lower drawer|side building',
  },
  {
    says: [
      'We bought the @ for % euros.',
      'The @ cost us % euros in the end.',
      'Paid % euros for the @, without discount.',
    ],
    asks: ['What did the @ cost us?', 'How expensive was the @?'],
    fill: '120|485|1,250|79|3,400',
  },
  {
    says: [
      'The guarantee of the @ ends in %.',
      'Until % the maker repairs the @ for nothing.',
      'The @ is covered until %.',
    ],
    asks: ['When does the guarantee of the @ end?', 'How long are we insured against defects of the @?'],
    fill: 'March 2027|August 2026|January 2028|May 2029|October 2026',
  },
  {
    says: [
      '% lent us the @ and wants it back some day.',
      'The @ belongs to %, we only borrowed it.',
      'We have the @ on loan from %.',
    ],
    asks: ['Who lent us the @?', 'Whom must we return the @ to?'],
    fill: 'Aunt Clara|Mr Novak|the neighbours|Cousin Ben|Grandfather',
  },
  {
    says: ['The @ is %, with a scratch on the left.', 'We chose the @ in %.', 'Our @ has been painted % last spring.'],
    asks: ['In what colour was the @ painted?', 'What shade is the @?'],
    fill: 'dark green|crimson|navy|ivory|charcoal',
  },
  {
    says: [
      'The @ makes a % noise since Tuesday.',
      'Something is broken: the @ sounds % now.',
      'There is a % sound whenever we use the @.',
    ],
    asks: ['What noise does the @ make?', 'Which defect did we notice on the @?'],
    fill: 'grinding|whistling|rattling|humming|clicking',
  },
  {
    says: [
      '% mends the @ every year, last invoice #.',
      'For repairs of the @ call %, customer #.',
      '% serviced the @ and did it well: #.',
    ],
    asks: ['Who mends the @ when it breaks?', 'Which craftsman maintains the @?'],
    fill: 'Olsen & Sons|Mrs Abadi|the shop at the station|Ferro Workshop|Mr Quist',
  },
  {
    says: [
      'The manual of the @ is in folder %.',
      'Instructions for the @: folder %.',
      'We filed the papers of the @ under folder %.',
    ],
    asks: ['In which folder is the manual of the @?', 'Which binder has the handbook of the @?'],
    fill: 'K7|B12|M3|T9|A4',
  },
  {
    says: [
      'The @ weighs % kilograms with everything.',
      'Carrying the @ means lifting % kilograms.',
      'On the scales the @ showed % kilograms.',
    ],
    asks: ['How many kilograms does the @ weigh?', 'What is the mass of the @?'],
    fill: '14|32|7|58|21',
  },
  {
    says: ['We give the @ away to % in autumn.', '% gets the @ as a present.', 'The @ is meant as a gift for %.'],
    asks: ['Who gets the @ as a gift?', 'Whom did we promise the @?'],
    fill: 'Marta|the school|Jonas|the museum|Lucia',
  },
  {
    says: ['Clean the @ with % only.', 'Wipe the @ down with %.', '% is best for washing the @.'],
    asks: ['What may I clean the @ with?', 'What do we scrub the @ with?'],
    fill: 'vinegar|warm soap water|alcohol|baking soda|a dry brush',
  },
  {
    says: ['We have had the @ since %.', 'The @ came into the house in %.', 'In % the @ was new.'],
    asks: ['Since when have we had the @?', 'In what year did we get the @?'],
    fill: '2011|2016|2019|2022|2008',
  },
] as const;

/**
 * Everyday words that mean much the same: what a trained model would have read elsewhere. Added
 * after the first measurement, while looking at its scores, and there is no held-out set: the gain
 * of vectors is an indication, no more.
 */
export const BACKGROUND: readonly string[] = [
  'place put lying kept store find where located stands',
  'price cost paid expensive euros money buy bought',
  'warranty guarantee insured covered defect expire ends until',
  'owner belongs borrowed lent loan return give back',
  'colour shade painted hue tone green crimson',
  'defect broken wrong noise sound fault problem',
  'fix repair mend craftsman maintain service workshop',
  'document paper manual handbook binder folder instruction file',
  'heavy mass weight weigh kilogram lift scale',
  'gift present give receive promise away donate',
  'care clean scrub wash wipe polish soap',
  'old age year since new got bought came',
];

const pick = (list: string, n: number): string => {
  const parts = list.split('|');
  return parts[n % parts.length] ?? '';
};

/** A number that stands in one note alone. */
const codeOf = (thing: number, fact: number): string =>
  `${'KGRTX'[fact % 5]}${'LPVZ'[thing % 4]}-${1000 + thing * 37 + fact * 11}`;
const FACTS_WITH_CODES = [2, 6, 7] as const;
const CODE_QUESTIONS = [
  'What does # belong to?',
  'Which of our things has the number #?',
  'Somebody asks about #, what is it?',
];

const idOf = (thing: number, fact: number): string => (thing * FACTS.length + fact).toString(16).padStart(32, '0');

export const NOTES: readonly EvaluationNote[] = THINGS.flatMap(([names, words], thing) =>
  FACTS.map((fact, n): EvaluationNote => {
    const name = pick(names, thing + n);
    const side = words.split(' ');
    const text = (fact.says[(thing + n * 2) % 3] ?? '')
      .replace('@', name)
      .replace('#', codeOf(thing, n))
      .replace('%', pick(fact.fill, thing * 3 + n));
    const aside = `(${side[n % side.length]}, ${side[(n + 2) % side.length]})`;
    return { id: idOf(thing, n), title: '', content: `${text} ${aside}`, tags: [] };
  }),
);

/** Every question about another note. */
export const QUESTIONS: readonly EvaluationQuestion[] = Array.from({ length: 100 }, (_, n): EvaluationQuestion => {
  const thing = (n * 7) % THINGS.length;
  if (n % 4 === 3) {
    const fact = FACTS_WITH_CODES[n % 3] ?? 2;
    return { text: (CODE_QUESTIONS[n % 3] ?? '').replace('#', codeOf(thing, fact)), answer: idOf(thing, fact) };
  }
  const fact = (n * 5 + Math.floor(n / 45)) % FACTS.length;
  const step = n % 5 < 2 ? 1 + (n % 2) : 0;
  const name = pick(THINGS[thing]?.[0] ?? '', thing + fact + step);
  return { text: (FACTS[fact]?.asks[Math.floor(n / 4) % 2] ?? '').replace('@', name), answer: idOf(thing, fact) };
});
