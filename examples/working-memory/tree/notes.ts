/** A note about something that Wren should remember: stem, title, paragraphs. */
export type Note = readonly [stem: string, title: string, ...paragraphs: string[]];

/** Hand-kept notes; those about people are in `people.ts`. */
export const notes: readonly Note[] = [
  [
    'quirks-platen',
    'Quirks: the platen',
    'The treadle platen throws the first sheet after a pause; feed one waste sheet.',
    'Its left gripper bends above 300 gsm. Use the short gripper and slow down to eight hundred an hour.',
  ],
  [
    'quirks-cylinder',
    'Quirks: the cylinder press',
    'Warms up for twenty minutes below twelve degrees or the ink will not lie.',
    'Packing is 1.02 mm since the bearers were turned; the old figure on the frame is wrong.',
  ],
  [
    'quirks-guillotine',
    'Quirks: the guillotine',
    'Cuts half a millimetre long at the back. The blade goes to Yeovil for grinding every eight thousand cuts.',
  ],
  [
    'quirks-heating',
    'Quirks: heating',
    'The boiler locks out when the wind stands in the west. Press the red button once, wait five minutes; a third time means calling Sandhu.',
  ],
  [
    'quirks-calendar',
    'Quirks: the shared calendar',
    'Invitations from the Toronto client arrive an hour late in the weeks when only one side has changed its clocks.',
  ],
  [
    'quirks-phone',
    'Quirks: the telephone',
    'The landline rings at the neighbour after six rings. Divert it when nobody is in.',
  ],
  [
    'price-list',
    'Price list',
    'Press time 68 pounds an hour, hand setting 54, design 72. Plates 31 each.',
    'Cotton 300 gsm 1.90 a sheet, mould-made 2.60, recycled 0.42. Prices hold until the end of the quarter.',
  ],
  [
    'ideas-revenue',
    'Ideas for income',
    'A subscription of four broadsides a year at 95 pounds; sixty would pay for the rent of a month.',
    'Renting the stone room to binders on Mondays. Rowan is for it, Ines wants to see the insurance first.',
  ],
  [
    'ideas-web',
    'Ideas for the websites',
    'Offer clients a yearly check of links, forms and speed for a fixed 180 pounds; three have asked already.',
  ],
  [
    'ideas-courses',
    'Ideas for courses',
    'An evening on setting one line by hand, without printing: no mess, twelve people, two hours, 28 pounds.',
  ],
  [
    'vendor-paper',
    'Vendor: Thistle Mill',
    'Orders close on Monday at noon. Minimum of 250 sheets. They send a swatch free if one names the job.',
    'Contact is Aoife; samples come with her handwriting on the back.',
  ],
  [
    'vendor-ink',
    'Vendor: Cranmore Inks',
    'Rubber-based black keeps on the press overnight, their oil-based does not. Ask for tins without the new plastic lids: those leak.',
  ],
  [
    'vendor-plates',
    'Vendor: Saltaire Plates',
    'Photopolymer in two days, magnesium in five. Files as PDF with fonts outlined, lines no thinner than a third of a point.',
  ],
  [
    'vendor-courier',
    'Vendor: couriers',
    'Parcels to Ireland go with the green firm, because the other one lost three. Collection until half past two.',
  ],
  [
    'vendor-registrar',
    'Vendor: the domain registrar',
    'Two accounts exist for historical reasons: the older holds the names of the bakery and the choir. Support answers only in working hours of Oslo.',
  ],
  [
    'vendor-accountant',
    'Vendor: accountant',
    'Quarter figures by the seventh. She wants one file, sorted by date, with the VAT rate in a column of its own.',
  ],
  [
    'insurance',
    'Insurance',
    'The policy covers machines at replacement value up to 40,000 pounds and water from above, not water from below.',
    'Claims within seven days, with photographs. Excess 350.',
  ],
  [
    'lease',
    'The lease',
    'Runs until the end of September next year with a break clause at six months. Rent rises by the index, capped at four per cent.',
    'The landlord must paint the outside every fifth year.',
  ],
  [
    'fonts-licences',
    'Font licences',
    'The serif of the house style is licensed for five desks and one site. The wedding script is for print only: not on the web, not in logos.',
  ],
  [
    'studio-wifi',
    'Network in the studio',
    'Guests use the network foxglove, which cannot see the office computer. Its word is on the blackboard and changes with the courses.',
  ],
  [
    'reading-list',
    'Reading list',
    'Lent out: the history of the Doves Press to Hollis, since spring. Wanted: anything on Welsh private presses.',
  ],
  [
    'allergies',
    'Allergies and food',
    'Ines eats no nuts, not even traces. Rowan is vegetarian except on boats. Hollis takes coffee black and late.',
  ],
  [
    'exhibition-plan',
    'Plan of the autumn exhibition',
    'Twenty-two frames, three cases, no text longer than a postcard. Title so far: The Weight of a Letter. Hung on a Monday, opened on a Thursday.',
  ],
  [
    'decision-tax-scheme',
    'Decision: flat-rate tax',
    'We left the flat-rate scheme because paper purchases made it dearer by about 700 pounds a year. To be looked at again if turnover falls below 90,000.',
  ],
  [
    'decision-no-analytics',
    'Decision: no visitor tracking',
    'Client sites carry no tracking by default. Server logs are counted once a month and thrown away. One client wanted more and was told why not.',
  ],
  [
    'decision-four-day-week',
    'Decision: four days',
    'No client work on Fridays since January. Fridays are for maintenance, learning and the garden. The trial is judged in June by income and by sleep.',
  ],
];

/** Pages about how the assistant itself is built and run. */
export const operations: readonly Note[] = [
  [
    'email-loop',
    'The email loop',
    'A message is fetched, matched with its thread, given to a worker with what memory holds about it, and archived as plain text on the same day.',
    'The loop sleeps ninety seconds between two rounds; at night ten minutes.',
  ],
  [
    'subagent-learning',
    'What workers taught us',
    'Workers that get five passages of memory do better than those with twenty: they quote the first three anyway.',
    'A brief that names the wished form of the result halves the number of second tries.',
  ],
  [
    'restructure-plan',
    'Plan for the folders',
    'Notes move from one long file into one file for each subject, so that a change touches one thing. Old notes stay readable until the end of the year.',
  ],
  [
    'session-rhythm',
    'Rhythm of sessions',
    'Four sessions a day. The early one reads, the noon one answers, the afternoon one builds, the last one writes the log and plans nothing.',
  ],
  [
    'cost-control',
    'Keeping costs low',
    'Retrieval runs on our own machine. The large model is asked only for letters that a client will read; sorting and filing use the small one.',
  ],
  [
    'backup-drill',
    'Backup drill',
    'Twice a year a site is restored from nothing by someone who did not write it. The last drill took three hours and ten minutes, because a password was in a head.',
  ],
  [
    'on-call',
    'On call',
    'Rowan has odd weeks, Marguerite even ones, with twenty pounds a night. Handing over is Monday at nine, with one line about what is shaky.',
  ],
  [
    'log-keeping',
    'Keeping logs',
    'The session log is for stories, the hobby logs for the long threads. Server logs are not stories and stay on the servers.',
  ],
];

export const writing: readonly Note[] = [
  [
    'the-lamplighter',
    'The lamplighter',
    'He lit the last lamp at nine and walked back along the row, turning each one down to save the oil that nobody had paid for.',
    'In the morning the children counted the blackened chimneys and knew how far he had come.',
  ],
  [
    'inventory',
    'Inventory',
    'Item: one drawer of commas, more than we will need. Item: a lower-case g with a broken ear, kept for its courage. Item: dust, various.',
  ],
  [
    'letter-to-a-swift',
    'Letter to a swift',
    'You have not touched anything in ten months. I touch paper all day and could not tell you where it was a tree.',
  ],
  [
    'river-lessons',
    'River lessons',
    'The ferryman said the river has one word and takes its whole length to say it. I asked him which. He pointed downstream and charged me double.',
  ],
];
