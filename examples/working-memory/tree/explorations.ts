/** An evening spent on a question: stem, title, what set it off, what was found, and what stays open. */
export type Exploration = readonly [
  stem: string,
  title: string,
  spark: string,
  findings: readonly (readonly [name: string, text: string])[],
  open: string,
];

export const explorations: readonly Exploration[] = [
  [
    'lichen-clocks',
    'Lichens as clocks',
    'A gravestone in the churchyard had a yellow disc on it.',
    [
      [
        'growth',
        'Map lichen grows less than a millimetre a year, so that the largest disc on a rock gives the time since the rock was bare.',
      ],
      ['limits', 'Beyond nine hundred years discs break up and the method fails.'],
    ],
    'Is the north side of the studio wall old enough?',
  ],
  [
    'tide-tables',
    'How tides are foretold',
    'The harbour board prints a year in advance.',
    [
      [
        'method',
        'The height is a sum of some forty waves whose periods come from sun and moon; only their sizes are local.',
      ],
      ['machine', 'Brass machines with pulleys added these waves from 1872 until the sixties.'],
    ],
    'What did they do about weather?',
  ],
  [
    'invention-of-italic',
    'Where italic came from',
    'Ines asked why it slants.',
    [
      [
        'origin',
        'It began as a whole book face in Venice about 1500, to save paper in pocket editions, and had upright capitals.',
      ],
      ['emphasis', 'Using it for stress inside roman text is a later habit, of about two generations after.'],
    ],
    'Who first drew slanted capitals?',
  ],
  [
    'bee-dances',
    'What a dance tells',
    'A swarm on the roof garden.',
    [
      [
        'direction',
        'The angle of the waggle run against the vertical is the angle of the food against the sun.',
      ],
      ['distance', 'A longer run means farther; about one second for a kilometre.'],
    ],
    'How do they dance under clouds?',
  ],
  [
    'oak-gall-ink',
    'Ink that eats paper',
    'An old ledger with brown holes.',
    [
      [
        'chemistry',
        'Tannin from galls and iron vitriol darken in the air; too much vitriol leaves acid that burns the sheet.',
      ],
      ['remedy', 'Conservators bathe leaves in calcium phytate to bind the loose iron.'],
    ],
    'Could one print with it?',
  ],
  [
    'erratic-boulders',
    'Stones that travelled',
    'A block of granite in a chalk field.',
    [
      ['carrier', 'Ice sheets carried blocks hundreds of kilometres; the kind of rock shows the way back.'],
      ['use', 'Maps of such blocks gave the first proof of how far the ice had come.'],
    ],
    'Which one is nearest to Bristol?',
  ],
  [
    'slow-television',
    'Seven hours on a train',
    'Rowan left it running all Sunday.',
    [
      [
        'origin',
        'A Norwegian station filmed a whole train ride in 2009 and a fifth of the country watched some of it.',
      ],
      ['why', 'Viewers say that nothing is edited, so that nothing is kept from them.'],
    ],
    'Would a press day work as one?',
  ],
  [
    'mushroom-networks',
    'Trees and threads',
    'A talk on the radio claimed that trees talk.',
    [
      [
        'evidence',
        'Carbon does move between seedlings through fungi, but in the field the amounts are small.',
      ],
      [
        'doubt',
        'Claims of mothers feeding their young rest on few experiments that others could not repeat.',
      ],
    ],
    'What would convince a sceptic?',
  ],
  [
    'knots-and-quipu',
    'Writing with strings',
    'Untangling the twine in the packing room.',
    [
      ['numbers', 'Knots on cords held counts in tens; place on the cord is the power of ten.'],
      [
        'words',
        'Whether some cords held names is open: two villages kept ones with animal fibres of many colours.',
      ],
    ],
    'Could one index a shelf that way?',
  ],
  [
    'foghorns',
    'The last foghorn',
    'One sounded on a recording by a friend.',
    [
      [
        'how',
        'Compressed air drives a slotted drum or a reed; the low note carries because it bends round headlands.',
      ],
      ['end', 'Ships with satellite positions made them needless; most fell silent by 2010.'],
    ],
    'Who decides on which note?',
  ],
  [
    'marbling',
    'Colours that float',
    'A client asked for endpapers.',
    [
      ['bath', 'Carrageen from red seaweed thickens water so that drops of paint spread without sinking.'],
      ['gall', 'A drop of ox gall makes each colour push the ones before it aside.'],
      ['alum', 'Paper is wiped with alum first, or the colours wash off.'],
    ],
    'Try it with the offcuts of the cotton stock.',
  ],
  [
    'swifts',
    'Birds that sleep in the air',
    'The first swifts on the second of May.',
    [
      ['flight', 'Young birds may stay aloft for ten months without landing.'],
      [
        'nests',
        'They come back to the same hole within centimetres; a blocked hole means no brood that year.',
      ],
    ],
    'Put two boxes under the eaves before April.',
  ],
  [
    'braille-presses',
    'Printing for fingers',
    'An enquiry about menus in braille.',
    [
      ['height', 'Dots need to stand half a millimetre; ordinary embossing is too low and too sharp.'],
      ['method', 'Interpoint presses print both sides with the dots shifted, so that they do not meet.'],
    ],
    'Our platen could do one side with a brass matrix.',
  ],
  [
    'sourdough',
    'What lives in the jar',
    'The starter smelt of pear drops.',
    [
      ['flora', 'Yeasts make the gas and lactic bacteria the taste; the ratio follows the temperature.'],
      ['pear drops', 'The smell is ethyl acetate: it is hungry and wants flour twice a day.'],
    ],
    'Does it fare better on the boiler shelf?',
  ],
  [
    'shipping-forecast',
    'A poem by the weather office',
    'Heard at twenty to one at night.',
    [
      ['form', 'At most 370 words, always in the same order of sea areas, clockwise from Viking.'],
      ['change', 'Finisterre became FitzRoy in 2002, after the man who founded the office.'],
    ],
    'Set it as a broadside?',
  ],
  [
    'wood-type',
    'Letters of maple',
    'A drawer without labels.',
    [
      ['maker', 'A pantograph and a router from 1834 on made any size from one pattern.'],
      [
        'age',
        'Stamps on the capital A name the maker; ours is of a Manchester firm and probably from the 1880s.',
      ],
    ],
    'Photograph the whole alphabet.',
  ],
  [
    'urban-foxes',
    'Foxes of the city',
    'One sat on the skylight.',
    [
      ['density', 'Bristol had up to thirty-seven adults per square kilometre before mange came in 1994.'],
      ['recovery', 'Numbers were back to about half after twenty years.'],
    ],
    'Where is their earth?',
  ],
  [
    'concrete-poetry',
    'Poems to look at',
    'A box of cards from the sixties.',
    [
      ['idea', 'The shape on the page is the syntax.'],
      ['press', 'Many were made on small presses because no setting house would take them.'],
    ],
    'Ask Marguerite about the Wiltshire group.',
  ],
  [
    'salt-marshes',
    'Land that breathes',
    'A walk at low water near Clevedon.',
    [
      ['carbon', 'A hectare of marsh buries more carbon in a year than one of forest, since mud has no air.'],
      ['defence', 'Eighty metres of marsh halve the height of waves.'],
    ],
    'Which stretch is being given back to the sea?',
  ],
  [
    'change-ringing',
    'Arithmetic with bells',
    'Tuesday practice at the church.',
    [
      ['rule', 'No bell moves more than one place between rows and no row comes twice.'],
      ['peal', 'On seven bells all 5040 rows take three hours; on eight it took eighteen, once.'],
    ],
    'Is there a program that writes new methods?',
  ],
  [
    'blue-pigments',
    'The cost of blue',
    'Mixing a colour for a wedding.',
    [
      [
        'history',
        'Ultramarine came from one valley and cost more than gold; the made one of 1828 is the same substance.',
      ],
      ['printing', 'Prussian blue fades in alkaline paper, phthalo does not.'],
    ],
    'Change the recipe card of the wedding blue.',
  ],
  [
    'night-trains',
    'Sleeping across borders',
    'A plan to reach Lisbon without flying.',
    [
      ['routes', 'The sleeper from Paris ends at the border; from Hendaye one changes twice.'],
      ['time', 'Bristol to Lisbon takes two nights with one day in Irun or Madrid.'],
    ],
    'Price it for the book fair.',
  ],
  [
    'moss-roofs',
    'Roofs of moss',
    'A leak above the stone room.',
    [
      ['weight', 'Wet moss weighs up to forty kilos a square metre; slate bears it, tile does not.'],
      ['growth', 'It wants rough, acid, shady surfaces; yoghurt does nothing.'],
    ],
    'Would it keep the skylight cooler?',
  ],
  [
    'semaphore-lines',
    'Messages by arms',
    'A hill that is called Telegraph.',
    [
      ['speed', 'A sign crossed France in minutes by day and clear weather.'],
      [
        'fraud',
        'In 1834 two bankers bribed an operator to add errors that carried the news of the exchange.',
      ],
    ],
    'What is the earliest protocol with error marks?',
  ],
];
