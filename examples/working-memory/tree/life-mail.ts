import type { ThreadKind } from './thread-kind.ts';

/** Correspondence about everything else: people, places, the house, the hobbies. */
export const lifeMail: readonly ThreadKind[] = [
  {
    name: 'meeting',
    with: ['Ottilie Brandt', 'Malcolm Reyes', 'Greta Lindqvist', 'Imogen Vale', 'Tobias Lunt'],
    subject: 'Talking about {about}',
    about: [
      'the season programme',
      'the winter show',
      'the guild fair',
      'next year of weddings',
      'the new lease',
      'a book of letters',
      'the shared stand',
      'the film about us',
    ],
    slots: {
      first: ['the café by the bridge', 'your office', 'a call', 'the library'],
      second: [
        'the workshop after four',
        'the garden if it is dry',
        'the train station, between two trains',
        'a call with pictures',
      ],
    },
    messages: [
      ['them', 'Could we meet about {about}? I suggest {day} at ten, {first}.'],
      [
        'wren',
        '{day} is a press day, so ten is not possible. Would half past four suit you, or {later} in the morning?',
      ],
      [
        'them',
        '{later} in the morning then. But not {first}: let us make it {second}, I will bring the plans.',
      ],
      [
        'ines',
        'See you {later} at ten, {second}. I have three questions about {about} and will send them the day before.',
      ],
    ],
    asks: ['where and when do we meet about {about}?', 3, 2],
  },
  {
    name: 'travel',
    with: ['Beatriz Salgado', 'Petroc Nance', 'Greta Lindqvist', 'Malcolm Reyes'],
    subject: 'Journey to {about}',
    about: ['Lisbon', 'Falmouth', 'Mainz', 'Toronto', 'Antwerp', 'Edinburgh', 'Lyon'],
    slots: {
      bed: [
        'the guest room above the shop',
        'a hotel opposite the station',
        'a cabin on the night boat',
        'the flat of a cousin',
      ],
      change: [
        'the railway is on strike on the way back',
        'the fair opens a day later',
        'Rowan comes too and needs a second bed',
        'the last bus leaves at six',
      ],
    },
    messages: [
      ['ines', 'I come to {about} on {day} and stay until {later}. Is there something simple to sleep?'],
      [
        'them',
        'How good! Take {bed}, it is quiet and the key is under the third pot. From the train it is ten minutes on foot.',
      ],
      [
        'wren',
        'A change for {about}: {change}. I have moved the booking, {sum} pounds in all, and put both tickets into the blue folder.',
      ],
    ],
    asks: ['what changed about the trip to {about}?', 2],
  },
  {
    name: 'building',
    with: ['Tobias Lunt'],
    subject: 'The matter of {about}',
    about: [
      'the skylight',
      'the cellar pump',
      'the front door',
      'the gutter',
      'the damp wall in the stone room',
      'the yard lamp',
      'the fire stairs',
    ],
    slots: {
      harm: [
        'it drips on the paper rack',
        'it has not closed since the frost',
        'it trips the fuse of the whole row',
        'it smells of mushrooms',
      ],
      deed: [
        'a roofer comes with a new lead flashing',
        'the joiner planes it and hangs it anew',
        'it is replaced by one that starts by itself',
        'it gets a coat of lime and a vent',
      ],
    },
    messages: [
      [
        'rowan',
        'Dear Mr Lunt, {about} cannot wait any longer: {harm}. By the lease this is yours, but we would rather solve it than quote it.',
      ],
      [
        'them',
        'I have been expecting this. {deed}, on {day} if the weather allows. Please clear a metre on each side.',
      ],
      [
        'rowan',
        'It is done, thank you: {about} is as it should be. Two tiles lie in the yard, perhaps for the next time.',
      ],
    ],
    asks: ['how is {about} going to be repaired?', 1],
  },
  {
    name: 'course',
    with: ['Hollis Tan', 'Marguerite Okafor'],
    subject: 'Course: {about}',
    about: [
      'setting by hand',
      'making paper',
      'wood engraving',
      'folding and sewing',
      'printing for teachers',
      'marbled endpapers',
      'ink and colour',
      'one line by hand',
    ],
    slots: {
      heads: ['five', 'seven', 'nine', 'twelve'],
      need: [
        'two more aprons and left-handed scissors',
        'a kettle that does not trip the fuse',
        'linen thread, since the cotton one breaks',
        'gloves in small sizes',
      ],
      trouble: [
        'one of them cannot climb the stairs',
        'two of them are fourteen',
        'one of them speaks only Portuguese',
        'the caterer has fallen ill',
      ],
    },
    messages: [
      ['them', '{heads} people for {about} on {later}. We need {need}.'],
      ['ines', 'Ordered: {need}. What about lunch, and does anybody have a difficulty we should know of?'],
      [
        'them',
        'One thing about {about}: {trouble}. I think we can arrange it, with the ground floor and a little patience.',
      ],
      [
        'wren',
        'Letters to all {heads} participants of {about} went out today, with the address and the warning about sleeves.',
      ],
    ],
    asks: ['what has to be bought before the course on {about}?', 0, 1],
  },
  {
    name: 'book',
    with: ['Marguerite Okafor', 'Hollis Tan', 'Petroc Nance', 'Noor Haddad'],
    subject: 'You should read {about}',
    about: [
      'The Salt Road',
      'A Grammar of Hedges',
      'Night Mail',
      'Small Rooms',
      'The Cartographer at Rest',
      'Forty Winters',
      'Letters from a Lighthouse',
    ],
    slots: {
      why: [
        'it has a chapter on how a town loses its printer',
        'nobody in it raises his voice, and yet one cannot sleep',
        'it explains drainage so that one weeps',
        'its index is the best joke in it',
      ],
      fate: [
        'Rowan has it in his bag',
        'it lies on the stone, under the proofs',
        'it is lent on to my sister',
        'I left it on a train and bought it again',
      ],
    },
    messages: [
      ['them', 'I finished {about} at two in the morning. Read it: {why}.'],
      ['ines', 'I have begun {about} and see what you mean. Do not tell me how it ends.'],
      ['ines', 'Done. I want to print a page of it. As to your copy: {fate}.'],
    ],
    asks: ['who has the copy of {about} now, and where is it?', 2],
  },
  {
    name: 'garden',
    with: ['Marguerite Okafor', 'Petroc Nance'],
    subject: 'Roof garden: {about}',
    about: [
      'beans',
      'the fig in the tub',
      'swift boxes',
      'tomatoes',
      'the water butt',
      'the bee hotel',
      'winter salad',
    ],
    slots: {
      state: [
        'the leaves curl as if burnt',
        'something eats it at night and leaves slime',
        'nothing has come up in three weeks',
        'it stands in water after each rain',
      ],
      advice: [
        'give it shade at noon and stop feeding it',
        'copper tape and a board to collect them under',
        'sow again, a finger deep, when the nights are above ten',
        'drill two holes and put it on bricks',
      ],
    },
    messages: [
      ['rowan', 'You know about these things. On the roof, {about}: {state}. What would you do?'],
      ['them', 'I had the same with {about} last year. {advice}. And be patient until {later}.'],
      [
        'rowan',
        'We did as you said about {about}, and it looks better already. You are owed a jar of something.',
      ],
    ],
    asks: ['what was the advice about {about} on the roof?', 1],
  },
  {
    name: 'insurance',
    with: ['Tobias Lunt', 'Celia Fairweather', 'Marguerite Okafor'],
    subject: 'Damage to {about}',
    about: [
      'the type cases',
      'the delivery van',
      'a client painting',
      'the shop window',
      'the plan chest',
      'the neighbour fence',
      'the camera',
    ],
    slots: {
      event: [
        'water came through the ceiling on Sunday',
        'a reversing lorry',
        'a visitor with a rucksack',
        'the storm of last week',
      ],
      view: [
        'they pay all but the excess',
        'they want to see it before anything is thrown away',
        'they say it is wear and pay nothing',
        'they offer half, and I would refuse',
      ],
    },
    messages: [
      ['ines', 'You should know about {about}: {event}. Nobody is hurt. I have photographs from four sides.'],
      ['them', 'How annoying. What does the insurer say about {about}?'],
      ['ines', 'The assessor was here about {about}, case {number}: {view}. The estimate is {sum} pounds.'],
    ],
    asks: ['what did the insurer say about {about}?', 2],
  },
  {
    name: 'newsletter',
    with: ['Noor Haddad', 'Greta Lindqvist'],
    subject: 'Draft of the letter on {about}',
    about: [
      'moving house',
      'the end of metal',
      'three women printers',
      'a press for schools',
      'the colour of bread',
      'letters to the dead',
      'the long table',
    ],
    slots: {
      edit: [
        'the second paragraph says the first one again',
        'the joke about lawyers should go',
        'it needs the name of the photographer',
        'the last line is the first line',
      ],
      picture: [
        'the hands with the composing stick',
        'the empty shelf',
        'the child with the inky nose',
        'the snow on the skylight',
      ],
    },
    messages: [
      ['ines', 'Here is the draft of this month, on {about}. Be severe. It goes out on {later}.'],
      ['them', 'I like {about} very much. Severe: {edit}. And take the picture of {picture}.'],
      ['ines', 'You are right about all of it. {about} now ends sooner, and {picture} is at the top.'],
    ],
    asks: ['what criticism was there of the letter on {about}?', 1],
  },
  {
    name: 'health',
    with: ['Imogen Vale', 'Marguerite Okafor'],
    subject: 'About {about}',
    about: [
      'the cat of the workshop',
      'the back of Rowan',
      'new glasses',
      'the wrist',
      'the hearing test',
      'the vaccination',
      'the dentist',
    ],
    slots: {
      finding: [
        'nothing is broken, it wants rest for two weeks',
        'it is the light above the stone, not the eyes',
        'an old thing that comes back with cold weather',
        'one more visit and it is done',
      ],
      care: [
        'warm water in the morning',
        'no lifting above ten kilos',
        'the drops twice a day',
        'a stool at the case',
      ],
    },
    messages: [
      ['them', 'How did it go with {about}? I thought of you on {day}.'],
      ['rowan', 'Kind of you. {finding}. The order is: {care}.'],
      [
        'wren',
        'In the calendar for {about}: the next visit is on {later} at ten past nine, and a note says {care}.',
      ],
    ],
    asks: ['what is recommended for {about}?', 1, 2],
  },
  {
    name: 'guild',
    with: ['Greta Lindqvist', 'Hollis Tan', 'Marguerite Okafor'],
    subject: 'Guild: {about}',
    about: [
      'the type auction',
      'the apprentice prize',
      'the museum key',
      'a talk on wood type',
      'the yearbook page',
      'the open day',
      'the petition for the paper mill',
      'the summer outing',
    ],
    slots: {
      ask: [
        'two volunteers',
        'a page of text and one picture',
        'somebody with a van',
        'an hour of talk without slides',
      ],
      reply: [
        'we do it if it is not a Tuesday',
        'gladly, but Hollis is the better person',
        'yes, and we bring the small press',
        'not this year, the exhibition eats us',
      ],
    },
    messages: [
      ['them', 'The guild needs {ask} for {about}, on {later}. May I count on you?'],
      ['ines', 'About {about}: {reply}.'],
      ['them', 'Then I write it down so: {about}, {reply}. The minutes go round on {day}.'],
      ['wren', 'Filed under guild, {about}. A task for {later} has been made.'],
    ],
    asks: ['did we promise anything for {about}?', 1, 2],
  },
];
