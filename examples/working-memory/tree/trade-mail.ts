import type { ThreadKind } from './thread-kind.ts';

/** Correspondence about work: paper, proofs, money, machines, sites. */
export const tradeMail: readonly ThreadKind[] = [
  {
    name: 'paper-order',
    with: ['Aoife Brennan'],
    subject: 'Paper for {about}',
    about: [
      'the choir posters',
      'the bakery bags',
      'the gallery invitation',
      'the guild yearbook',
      'the bookshop bookmarks',
      'the spring broadside',
      'the memorial card',
      'the almanac',
    ],
    slots: {
      stock: ['cotton 300 gsm', 'mould-made 250 gsm', 'recycled kraft 120 gsm', 'ivory laid 160 gsm'],
      sheets: ['275', '350', '400', '620', '900'],
      hitch: [
        'the dye lot came out too warm',
        'the cutter at the mill is waiting for a bearing',
        'the pallet went to Bath by mistake',
      ],
    },
    messages: [
      [
        'ines',
        'Dear Aoife, for {about} we need {sheets} sheets of {stock}, grain short. Could you hold the price of the last order? We print on {later}.',
        'Aoife, please put us down for {sheets} sheets of {stock} for {about}. The press is booked for {later}, so Thursday would be ideal.',
      ],
      [
        'them',
        'Hello Ines, {sheets} sheets of {stock} are reserved under order {number}, {sum} pounds with delivery. I hope to have them on the van by {day}.',
      ],
      [
        'them',
        'Ines, I am sorry: {hitch}, and your {stock} slips to {later}. I can send {sheets} sheets of the batch before at ten per cent less if the shade does not matter.',
      ],
      [
        'ines',
        'The shade matters for this one, so we wait. I have moved the press day and told the client. Please mark the batch on the parcel.',
        'Send the batch before, please. {about} will be read by candlelight anyway, and ten per cent is ten per cent.',
      ],
    ],
    asks: ['why did the mill deliver late what we needed for {about}?', 2],
  },
  {
    name: 'proof',
    with: ['Beatriz Salgado', 'Malcolm Reyes', 'Ottilie Brandt', 'Dafydd Pryce', 'Imogen Vale'],
    subject: 'Proof of {about}',
    about: [
      'the opening card',
      'the season leaflet',
      'the loaf labels',
      'the menu for the Hartley wedding',
      'the bookplate',
      'the concert ticket',
      'the visiting cards',
      'the birth announcement',
    ],
    slots: {
      fault: [
        'the date in the third line',
        'an accent missing on the name',
        'the telephone number, which is our old one',
        'two spaces after the initial',
      ],
      wish: [
        'a little more air above the title',
        'the blue a step darker',
        'the rule below the name thinner',
        'the address in one line',
      ],
    },
    messages: [
      [
        'ines',
        'Here is the proof of {about}, as PDF and as a photograph of the pulled sheet. Please look at names and numbers twice, I have read it too often.',
      ],
      [
        'them',
        'It looks lovely. We found {fault}. And could we have {wish}? Otherwise yes.',
        'Thank you. {wish}, if it is not too late, and please correct {fault}.',
      ],
      [
        'rowan',
        'Corrected: {fault}. I have also done the other wish ({wish}). New proof attached; nothing is on the press before you write the three words.',
      ],
      ['them', 'Approved for press, {about}, as of the second proof. We need them by {later}.'],
    ],
    asks: ['what had to be corrected on {about}?', 1, 2],
  },
  {
    name: 'invoice',
    with: [
      'Beatriz Salgado',
      'Malcolm Reyes',
      'Ottilie Brandt',
      'Dafydd Pryce',
      'Imogen Vale',
      'Greta Lindqvist',
    ],
    subject: 'Invoice {number} for {about}',
    about: [
      'the yearly site check',
      'two hundred programmes',
      'the new order page',
      'the exhibition catalogue',
      'the Christmas labels',
      'the moving notices',
      'the web shop repair',
      'the lettered van doors',
    ],
    slots: {
      reason: [
        'our treasurer was in hospital',
        'it went to an address we no longer read',
        'we wanted to wait for the grant',
        'the bank asked for a form',
      ],
    },
    messages: [
      [
        'wren',
        'Our invoice {number} for {about}, {sum} pounds, was due last week. If it is already on its way, please forget this message.',
      ],
      [
        'them',
        'I apologise. {reason}, so that it was left lying. May we pay {sum} pounds on {later}?',
        'You are right, and I am embarrassed: {reason}. The transfer is set for {later}.',
      ],
      [
        'ines',
        'That is fine, thank you for telling us. {later} it is; Wren will stop the reminders until then.',
      ],
      [
        'wren',
        'Noted: {sum} pounds for {about} arrived today under number {number}. The case is closed and the receipt is attached.',
      ],
    ],
    asks: ['why was the bill for {about} paid late?', 1],
  },
  {
    name: 'press-repair',
    with: ['Hollis Tan'],
    subject: 'Trouble with {about}',
    about: [
      'the cylinder press',
      'the treadle platen',
      'the guillotine',
      'the proofing press',
      'the plate maker',
      'the numbering head',
      'the perforating wheel',
      'the folding machine',
    ],
    slots: {
      symptom: [
        'it knocks on every fourth turn',
        'it leaves a pale band on the right',
        'it stops as if something were caught',
        'it drifts by a millimetre in an hour',
      ],
      cause: [
        'a worn key in the main gear',
        'a roller that has gone hard',
        'a spring that has lost its temper',
        'dried ink under the bed',
      ],
      part: [
        'a dealer in Ghent has the part',
        'we can have it turned in Yeovil',
        'the museum sells copies of it',
        'the part can be filed from brass',
      ],
    },
    messages: [
      [
        'rowan',
        'Hollis, {about} worries me: {symptom}. I have cleaned and oiled it without effect. Have you heard this before?',
      ],
      [
        'them',
        'I have, in a shop in Leeds. Nine times out of ten it is {cause}. Take the guard off and look before you run it again; I can come on {day}.',
      ],
      [
        'rowan',
        'You were right, {cause}. It comes apart easily. Now the question is where to get a replacement for {about}.',
      ],
      [
        'them',
        'Ask first before you buy new: {part}, for about {sum} pounds, which is a quarter of the list price. I would fit it with you on {later}.',
      ],
    ],
    asks: ['what turned out to be wrong with {about}?', 2, 1],
  },
  {
    name: 'outage',
    with: ['Dafydd Pryce', 'Ottilie Brandt', 'Malcolm Reyes', 'Beatriz Salgado'],
    subject: '{about} does not open',
    about: [
      'the order page',
      'the ticket page',
      'the gallery site',
      'the catalogue search',
      'the contact form',
      'the recipe blog',
      'the members area',
      'the newsletter archive',
    ],
    slots: {
      cause: [
        'a certificate that had not been renewed because the check ran as the wrong user',
        'a full disk after somebody uploaded a film',
        'a database that waited for a lock held by the nightly export',
        'a plug-in that updated itself on a Friday',
      ],
      span: ['eleven minutes', 'forty minutes', 'an hour and a half', 'most of the night'],
    },
    messages: [
      [
        'them',
        'Good morning, {about} shows only a grey page here and on my telephone. Customers have called. Is it you or is it us?',
      ],
      [
        'rowan',
        'It is us. I am looking at it now; {about} is switched to a plain page with your number so that nobody is lost.',
      ],
      [
        'rowan',
        'It works again. The cause was {cause}. It was down for {span}. I have changed the alarm so that we hear of this before you do.',
      ],
      [
        'them',
        'Thank you for being quick and for saying it plainly. Nobody complained after the plain page was up.',
      ],
    ],
    asks: ['what made {about} fail?', 2],
  },
  {
    name: 'domain',
    with: ['Ottilie Brandt', 'Dafydd Pryce', 'Imogen Vale', 'Greta Lindqvist'],
    subject: 'Your name {about} runs out',
    about: [
      'prycebakery.example',
      'stadtchor.example',
      'valeweddings.example',
      'guildofprinters.example',
      'hartleywedding.example',
      'springbroadside.example',
      'breadandletters.example',
    ],
    slots: {
      wish: [
        'keep it for two more years',
        'let it go, the festival is over',
        'keep it, but move it to our own account',
        'keep it and point it to the new site',
      ],
    },
    messages: [
      [
        'wren',
        'The domain {about} expires on {later}. Renewing for two years costs {sum} pounds with our hour. Do you still want it?',
      ],
      [
        'them',
        'Thank you for watching this. We would like to {wish}.',
        'Good that you ask. After some talk: {wish}, please.',
      ],
      [
        'wren',
        'Done for {about}: {wish}. The lock against transfer is on and the confirmation is in your folder.',
      ],
    ],
    asks: ['what did the client decide about {about}?', 1, 2],
  },
  {
    name: 'font',
    with: ['Noor Haddad', 'Malcolm Reyes', 'Imogen Vale'],
    subject: 'May we use {about}?',
    about: [
      'Halden Script',
      'Norrland Grotesk',
      'Ferrol Roman',
      'Quill Hand',
      'Tern Mono',
      'Ashdown Display',
      'Lowestoft Sans',
    ],
    slots: {
      use: [
        'in a logo',
        'on a web page with half a million visits',
        'in an app for children',
        'cut in wood for a sign',
      ],
      terms: [
        'the desktop licence forbids it',
        'a separate licence is needed, and it is yearly',
        'the foundry allows it without a fee if it is named',
        'it is allowed for five desks and no more',
      ],
    },
    messages: [
      ['them', 'Would it be all right to use {about} {use}? I have fallen for its lower-case a.'],
      [
        'ines',
        'I read the small print of {about} twice: for use {use} {terms}. I have written to the foundry to be sure.',
      ],
      [
        'ines',
        'The foundry confirms it, in friendlier words. Price if we go on: {sum} pounds. Shall I, or do we look for another face?',
      ],
    ],
    asks: ['are we allowed to use {about}?', 1, 2],
  },
  {
    name: 'parcel',
    with: ['Beatriz Salgado', 'Malcolm Reyes', 'Greta Lindqvist', 'Noor Haddad'],
    subject: 'Where is the parcel with {about}?',
    about: [
      'the signed prints',
      'the sample books',
      'the framed map',
      'the poster tubes',
      'the type specimens',
      'the wedding albums',
      'the returned drawings',
    ],
    slots: {
      fate: [
        'it sits in the customs hall because the form lacks a value',
        'the driver left it in a paper bin and the bin was emptied',
        'the label came off and they found it by its photograph',
        'it went to a street of the same name in another town',
      ],
      amends: [
        'we print it again at our cost',
        'the insurance pays in full',
        'the courier brings it by hand',
        'we send a second set at once',
      ],
    },
    messages: [
      [
        'them',
        'The parcel with {about} has not come, and the tracking has said "in transit" for nine days. Should I worry?',
      ],
      ['wren', 'I spent a while on the telephone about {about}: {fate}. The number of the case is {number}.'],
      ['ines', 'That must not be your problem: {amends}. You have it by {later} or I come on the train.'],
    ],
    asks: ['what happened to the shipment of {about}?', 1],
  },
];
