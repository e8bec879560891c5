import type { AskedCorpus } from './corpus.ts';

/** Corpora of one to five files, as people begin with. */
export const tiny: readonly AskedCorpus[] = [
  {
    name: 'one readme',
    files: {
      'README.md':
        '# Tidewatch\n\nTidewatch prints the tides of a harbour.\n\n## Install\n\n```\npip install tidewatch\n```\n\nPython 3.11 or newer is needed.\n\n## Use\n\n    tidewatch cuxhaven --days 3\n\nWithout `--days`, seven days are printed. Times are local to the harbour; `--utc` prints UTC.\n\n## Data\n\nPredictions come from the German hydrographic office and are fetched once a week. Without a network the last ones are used.\n\n## Licence\n\nMIT.\n',
    },
    questions: [
      { ask: 'How is it installed?', expect: /pip install tidewatch/ },
      { ask: 'Which Python is needed?', expect: /3\.11/ },
      { ask: 'How many days are printed by default?', expect: /seven days/ },
      { ask: 'Where do the predictions come from?', expect: /German hydrographic office/ },
      { ask: 'What is the licence?', expect: /MIT/ },
    ],
  },
  {
    name: 'three recipes',
    files: {
      'bread.txt':
        'Rye bread\n\n500 g rye flour\n350 ml water\n10 g salt\n100 g sourdough\n\nMix everything, let it rise for 14 hours and bake it for 55 minutes at 230 degrees.\n',
      'soup.txt':
        'Pea soup\n\nSoak 300 g of dried peas overnight. Cook them with a leek and a bay leaf for 90 minutes. Season with marjoram.\n',
      'cake.txt':
        'Apple cake\n\nFor the dough: 200 g butter, 150 g sugar, 3 eggs, 300 g flour. Bake at 180 degrees for 40 minutes. It keeps for three days.\n',
    },
    questions: [
      { ask: 'How long does the rye bread rise?', expect: /14 hours/ },
      { ask: 'How much flour is in the apple cake?', expect: /300 g flour/ },
      { ask: 'What is the soup seasoned with?', expect: /marjoram/ },
      { ask: 'How long does the cake keep?', expect: /three days/ },
      { ask: 'How much salt goes into the bread?', expect: /10 g salt/ },
    ],
  },
  {
    name: 'one letter',
    files: {
      'letter.md':
        'Dear Mr. Holm,\n\nthank you for your application of 3 May. We would like to offer you the flat in Harbour Street 12, second floor, from 1 August 2026. The rent is 840 euros a month, heating included. The deposit is two rents.\n\nPlease sign the contract until 15 June and send it back to us. Pets need our written consent.\n\nYours sincerely\n\nI. Brandt\n',
    },
    questions: [
      { ask: 'How high is the rent?', expect: /840 euros/ },
      { ask: 'By when must the contract be signed?', expect: /15 June/ },
      { ask: 'When can he move in?', expect: /1 August 2026/ },
      { ask: 'Are pets allowed?', expect: /written consent/ },
      { ask: 'How much is the deposit?', expect: /two rents/ },
    ],
  },
  {
    name: 'two modules',
    files: {
      'src/session.ts':
        "import { randomBytes } from 'node:crypto';\n\n/** Minutes without use after which a session ends. */\nconst idleMinutes = 20;\n\nconst sessions = new Map<string, number>();\n\n/** Begins a session and returns its token, which has 256 random bits. */\nexport function beginSession(now = Date.now()): string {\n  const token = randomBytes(32).toString('hex');\n  sessions.set(token, now);\n  return token;\n}\n\n/** Whether a session has not ended; using it makes it last longer. */\nexport function touchSession(token: string, now = Date.now()): boolean {\n  const used = sessions.get(token);\n  if (used === undefined || now - used > idleMinutes * 60_000) return false;\n  sessions.set(token, now);\n  return true;\n}\n",
      'src/login.ts':
        "import { beginSession } from './session.ts';\n\n/** Wrong passwords after which an account is locked for an hour. */\nconst maxAttempts = 5;\n\n/** Checks a password with scrypt and begins a session. */\nexport async function login(name: string, password: string): Promise<string> {\n  const user = await find(name);\n  if (user.failures >= maxAttempts) throw new Error('Locked');\n  if (!(await matches(password, user.hash))) throw new Error('Wrong password');\n  return beginSession();\n}\n",
    },
    questions: [
      { ask: 'When does a session end?', expect: /idleMinutes = 20|Minutes without use/ },
      { ask: 'How random is a token?', expect: /256 random bits|randomBytes\(32\)/ },
      {
        ask: 'How many wrong passwords lock an account?',
        expect: /maxAttempts = 5|Wrong passwords after which an account is locked/,
      },
      { ask: 'How are passwords checked?', expect: /scrypt/ },
    ],
  },
  {
    name: 'one table',
    files: {
      'stock.csv':
        'article,colour,in stock,price\nBucket 10 l,red,14,4.99\nBroom,brown,3,12.50\nWatering can,green,0,9.95\nSpade,black,7,24.00\n',
    },
    questions: [
      { ask: 'What does a spade cost?', expect: /24\.00/ },
      { ask: 'How many brooms are in stock?', expect: /Broom.*3|3.*Broom/s },
      { ask: 'Which colour has the watering can?', expect: /green/ },
      { ask: 'Is the watering can in stock?', expect: /Watering can.*0/s },
    ],
  },
  {
    name: 'two mails',
    files: {
      'a.eml':
        'From: Nora <nora@example.org>\r\nTo: Piet <piet@example.org>\r\nDate: Mon, 4 May 2026 08:00:00 +0200\r\nSubject: Dentist\r\nMessage-ID: <a@example.org>\r\n\r\nHi Piet,\r\n\r\nyour appointment at the dentist is on Tuesday, 12 May at 9:15. Please bring the insurance card.\r\n\r\nNora\r\n',
      'b.eml':
        'From: Nora <nora@example.org>\r\nTo: Piet <piet@example.org>\r\nDate: Wed, 6 May 2026 18:00:00 +0200\r\nSubject: Re: Dentist\r\nMessage-ID: <b@example.org>\r\nIn-Reply-To: <a@example.org>\r\nReferences: <a@example.org>\r\n\r\nThe practice has called: the appointment is moved to Thursday, 21 May at 14:00.\r\n\r\n> your appointment at the dentist is on Tuesday, 12 May at 9:15.\r\n',
    },
    questions: [
      { ask: 'When is the appointment at the dentist?', expect: /21 May/, first: /21 May/ },
      { ask: 'What should Piet bring?', expect: /insurance card/ },
      { ask: 'Who moved the appointment?', expect: /practice has called/ },
    ],
  },
  {
    name: 'five notes',
    files: {
      'wifi.md': '# Wi-Fi\n\nThe guest network is called Lindenhof-Guest. The router stands in the hall.\n',
      'heating.md':
        '# Heating\n\nThe boiler is serviced every October by Kessler & Sons. The pressure should be between 1.2 and 1.8 bar.\n',
      'garden.md':
        '# Garden\n\nThe hedge may be cut only before 1 March or after 30 September. The compost is turned in April.\n',
      'bins.md': '# Bins\n\nPaper is collected every second Tuesday, glass on the first Monday of a month.\n',
      'car.md': '# Car\n\nNext inspection: 09/2027. Tyres: 205/55 R16, 2.4 bar in front, 2.6 bar behind.\n',
    },
    questions: [
      { ask: 'What is the guest network called?', expect: /Lindenhof-Guest/ },
      { ask: 'Who services the boiler?', expect: /Kessler/ },
      { ask: 'When may the hedge be cut?', expect: /before 1 March or after 30 September/ },
      { ask: 'When is glass collected?', expect: /first Monday/ },
      { ask: 'When is the next inspection of the car?', expect: /09\/2027/ },
      { ask: 'What pressure do the tyres need?', expect: /2\.4 bar/ },
    ],
  },
];

/** Questions that none of the corpora answers: general ones, of other fields, and some that only sound like theirs. */
export const offTopic: readonly string[] = [
  'Who won the football world cup in 1998?',
  'What is the capital of Mongolia?',
  'How do I configure a Kubernetes ingress?',
  'What is the boiling point of mercury?',
  'Who wrote the opera Carmen?',
  'How does photosynthesis work?',
  'How fast do rovers drive on Mars?',
  'When was the Eiffel tower built?',
  'Which languages are spoken in Suriname?',
  'How do I reset a forgotten iCloud account?',
  'What is the half-life of caesium?',
  'Who painted the night watch?',
  'How is a carburettor cleaned?',
  'What does a notary do?',
  'Which vaccine protects against measles?',
  'How deep is the Mariana trench?',
  'What is the GDP of Brazil?',
  'How do bees communicate?',
  'What causes an aurora?',
  'Who invented the zip fastener?',
  'How many moons has Jupiter?',
  'What is a monad in category theory?',
  'How is whisky distilled?',
  'When did the Roman empire fall?',
  'What is the plot of Moby Dick?',
  'How do I train a neural network on a GPU?',
  'Which visa is needed for Japan?',
  'What is the offside rule?',
  'How is steel galvanised?',
  'Who is the president of the European Parliament?',
  'What does a gallon of petrol weigh?',
];
