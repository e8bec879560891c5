import type { AskedCorpus } from './corpus.ts';

const mail = (
  id: string,
  from: string,
  date: string,
  subject: string,
  body: string,
  replyTo?: string,
): string =>
  [
    `Message-ID: <${id}@orchard.example>`,
    `From: ${from}`,
    'To: all@orchard.example',
    `Date: ${date}`,
    `Subject: ${subject}`,
    ...(replyTo === undefined
      ? []
      : [`In-Reply-To: <${replyTo}@orchard.example>`, `References: <${replyTo}@orchard.example>`]),
    'Content-Type: text/plain; charset=utf-8',
    '',
    body,
    '',
    '-- ',
    `${from.replace(/ <.*/, '')}`,
    'Orchard cooperative, Mill Lane 4',
    'Phone: +44 1632 960 011',
    '',
  ].join('\r\n');

/** A cooperative with an orchard: threads of mail, notes, code, a table, a log, settings and a German page. */
export const mixed: AskedCorpus = {
  name: 'mixed',
  files: {
    'mail/launch-1.eml': mail(
      'launch-1',
      'Ada Weber <ada@orchard.example>',
      'Mon, 02 Nov 2026 09:00:00 +0000',
      'Date of the launch',
      'Hello all,\r\n\r\nthe bottling line is late. I suggest that we postpone the launch to January.\r\n\r\nBest,\r\nAda',
    ),
    'mail/launch-2.eml': mail(
      'launch-2',
      'Bo Lind <bo@orchard.example>',
      'Tue, 03 Nov 2026 10:30:00 +0000',
      'Re: Date of the launch',
      'January is too late for the Christmas market. The line will be repaired this week.\r\n\r\n> the bottling line is late. I suggest that we postpone the launch to January.',
      'launch-1',
    ),
    'mail/launch-3.eml': mail(
      'launch-3',
      'Ada Weber <ada@orchard.example>',
      'Thu, 05 Nov 2026 16:12:00 +0000',
      'Re: Date of the launch',
      'Agreed. The launch takes place on 5 December at 11 a.m. in the old press house.\r\n\r\n> January is too late for the Christmas market.',
      'launch-2',
    ),
    'mail/launch-4.eml': mail(
      'launch-4',
      'Cem Arslan <cem@orchard.example>',
      'Fri, 06 Nov 2026 08:05:00 +0000',
      'Re: Date of the launch',
      'I have booked the press house for 5 December. Catering is confirmed for 120 guests.',
      'launch-3',
    ),
    'mail/price.eml': mail(
      'price',
      'Dora Quint <dora@orchard.example>',
      'Wed, 14 Oct 2026 12:00:00 +0000',
      'Price of the juice',
      'Dear members,\r\n\r\nfrom 1 November a bottle of apple juice costs 3.20 euros instead of 2.90 euros, because glass has become more expensive.\r\n\r\nKind regards\r\nDora Quint',
    ),
    'mail/insurance.eml': mail(
      'insurance',
      'Cem Arslan <cem@orchard.example>',
      'Mon, 07 Sep 2026 07:45:00 +0000',
      'Insurance of the tractor',
      'The insurance of the tractor runs out on 31 March 2027. Northfield Mutual asks for 412 euros a year; our customer number is 88-1402.',
    ),
    'notes/meeting-2026-10-20.md':
      '# Meeting of 20 October 2026\n\nPresent: Ada, Bo, Cem, Dora\n\n## Decisions\n\n- Bo repairs the bottling line until 8 November.\n- The membership fee stays at 60 euros a year.\n- Dora looks for a second cold store.\n\n## Open\n\n- Who drives to the fair in Leeds?\n',
    'notes/pruning.md':
      '# Pruning\n\nApple trees are pruned between January and early March, while they are dormant. Cherry trees are pruned in summer, right after the harvest, because wounds heal faster then.\n\nNever prune in hard frost below -5 degrees.\n',
    'notes/pests.md':
      '# Pests\n\nCodling moth: hang pheromone traps by the middle of May. Spray granulosis virus when more than 5 moths are in a trap within a week.\n\nScab: remove fallen leaves in autumn.\n',
    'notes/beschluss.md':
      '# Beschluss vom 12. Juni 2026\n\nDie Mitgliederversammlung findet am 4. Juli 2026 um 18:30 Uhr in der Scheune statt. Anträge sind bis zum 20. Juni bei Dora einzureichen.\n',
    'notes/old-rules.md':
      '# Rules of the cold store (2021)\n\nThe cold store is kept at 4 degrees. The key hangs in the office.\n',
    'notes/rules.md':
      '# Rules of the cold store (2026)\n\nSince April 2026 the cold store is kept at 2 degrees. Whoever leaves last locks it and writes the temperature into the list.\n',
    'data/harvest.csv':
      'year,variety,kilograms,field\n2024,Boskoop,4200,North\n2024,Elstar,3100,South\n2025,Boskoop,3900,North\n2025,Elstar,3650,South\n2026,Boskoop,4480,North\n2026,Elstar,2870,South\n',
    'data/members.csv':
      'name,since,share,phone\nAda Weber,2014,3,0163 220\nBo Lind,2019,1,0163 221\nCem Arslan,2020,2,0163 222\nDora Quint,2011,4,0163 223\n',
    'logs/press.log':
      '2026-10-01 06:00:01 INFO press started\n2026-10-01 06:14:40 WARN belt slack 3 mm\n2026-10-01 07:02:11 ERROR pump 2 stopped: overheated at 94 C\n2026-10-01 07:02:12 INFO press stopped\n2026-10-01 09:30:00 INFO pump 2 restarted after filter change\n',
    'src/price.py':
      '# Prices of bottles.\n#\n# Copyright 2026 Orchard cooperative\n\n# Members get a discount of 15 percent on every bottle.\nMEMBER_DISCOUNT = 0.15\n\n\ndef price_of(bottles, is_member):\n    """Price in cents. Orders of 12 bottles or more have free delivery."""\n    cents = bottles * 320\n    if is_member:\n        cents = round(cents * (1 - MEMBER_DISCOUNT))\n    return cents + (0 if bottles >= 12 else 490)\n',
    'src/retry.ts':
      '/* eslint-disable */\n// ---------------------------------------------\n/** Sends a reading of the cold store; tries three times, with a pause of two seconds between tries. */\nexport async function sendReading(celsius: number): Promise<void> {\n  for (let attempt = 1; attempt <= 3; attempt += 1) {\n    if (await post(celsius)) return;\n    await pause(2000);\n  }\n  throw new Error("The reading could not be sent.");\n}\n',
    'config/press.toml':
      '# Settings of the press.\n[press]\npressure_bar = 180\nmax_celsius = 90\n\n[washing]\nminutes = 12\n',
    'docs/guide.md':
      '# Guide for helpers\n\n## Arriving\n\nHelpers meet at 7:30 in front of the barn. Bring sturdy shoes and gloves; ladders are there.\n\n## Pay\n\nHelpers get 13.50 euros an hour or 20 kilograms of apples a day.\n\n## Breaks\n\nThere is a break of 45 minutes at noon. Lunch is free.\n\n## Contact\n\nAda Weber coordinates helpers: 0163 220.\n',
    'docs/faq.md':
      '# Questions of visitors\n\n### Can I bring my own apples to be pressed?\n\nYes, from 50 kilograms on. Make an appointment two days before.\n\n### Do you take cards?\n\nNo, only cash.\n\n### Are dogs allowed?\n\nDogs are allowed on a lead, but not in the press house.\n',
  },
  questions: [
    { ask: 'When does the launch take place?', expect: /5 December/, not: /postpone the launch to January/ },
    { ask: 'How much does a bottle of apple juice cost now?', expect: /3\.20 euros/ },
    { ask: 'When does the insurance of the tractor run out?', expect: /31 March 2027/ },
    { ask: 'Who repairs the bottling line?', expect: /Bo repairs/ },
    { ask: 'How high is the membership fee?', expect: /60 euros a year/ },
    { ask: 'When are cherry trees pruned?', expect: /in summer/ },
    { ask: 'When should pheromone traps be hung up?', expect: /middle of May/ },
    { ask: 'Wann findet die Mitgliederversammlung statt?', expect: /am 4\. Juli 2026 um 18:30/ },
    { ask: 'At what temperature is the cold store kept?', expect: /2 degrees/, first: /2 degrees/ },
    { ask: 'How many kilograms of Boskoop were harvested in 2026?', expect: /4480/ },
    { ask: 'Why did pump 2 stop?', expect: /overheated/ },
    { ask: 'What discount do members get?', expect: /15 percent|0\.15/ },
    { ask: 'How often is sending a reading tried?', expect: /three times|attempt <= 3/ },
    { ask: 'What is the pressure of the press?', expect: /180/ },
    { ask: 'How much are helpers paid?', expect: /13\.50 euros an hour/ },
    { ask: 'Can I pay by card?', expect: /only cash/ },
    { ask: 'May I bring my dog?', expect: /Dogs are allowed on a lead/ },
    { ask: 'How many guests is the catering for?', expect: /120 guests/ },
    { ask: 'Since when is Dora Quint a member?', expect: /2011/ },
    { ask: 'How long is the lunch break?', expect: /45 minutes/ },
  ],
};
