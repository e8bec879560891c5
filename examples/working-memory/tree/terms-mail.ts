import type { ThreadKind } from './thread-kind.ts';

/** Correspondence about terms: what helpers cost, and what the tax office wants. */
export const termsMail: readonly ThreadKind[] = [
  {
    name: 'freelance',
    with: ['Noor Haddad', 'Hollis Tan'],
    subject: 'Help with {about}',
    about: [
      'the map drawings',
      'forty small icons',
      'setting the index',
      'photographs of the presses',
      'a translation of the leaflet',
      'colouring the frontispiece',
      'the lettering on the van',
    ],
    slots: {
      rate: ['260 pounds a day', '45 pounds an hour', 'a fixed sum of 900', 'a swap against a course place'],
      limit: [
        'only after the school holidays',
        'on Mondays and Tuesdays',
        'not if there is lettering on glass',
        'with one round of corrections',
      ],
    },
    messages: [
      ['ines', 'We need a pair of hands for {about}. Would you have time before {later}, and for how much?'],
      ['them', 'With pleasure. My rate for {about} would be {rate}, and I can do it {limit}.'],
      ['rowan', 'Agreed: {rate}, {limit}. The contract comes today; your login ends on {later}.'],
    ],
    asks: ['what do we pay for {about}?', 1, 2],
  },
  {
    name: 'tax',
    with: ['Celia Fairweather'],
    subject: 'A question about {about}',
    about: [
      'tax on courses',
      'selling prints to Portugal',
      'the old press in the books',
      'gifts to clients',
      'the van',
      'the room at home',
      'income from the shop',
    ],
    slots: {
      answer: [
        'it is exempt below the threshold, so charge nothing and say so on the bill',
        'it is written off over eight years, not five',
        'up to fifty pounds a head and year it counts, above that it does not',
        'keep a mileage book; without it they allow a tenth',
        'use the one-stop scheme and file it each quarter',
      ],
    },
    messages: [
      [
        'ines',
        'Celia, how do we treat {about}? The leaflet of the office says one thing in words and another in its example.',
      ],
      [
        'them',
        'The example is wrong, they have admitted it. For {about}: {answer}. Send me the papers by {day} and I put it right for last year too.',
      ],
      ['wren', 'Papers on {about} are in your folder, sorted by date, with the rate in its own column.'],
    ],
    asks: ['what does the accountant say about {about}?', 1],
  },
];
