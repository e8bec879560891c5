import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isProse, paragraphsOf, readability } from './prose.ts';

describe('paragraphs', () => {
  test('of reStructuredText are without headings, targets, code and options, and with the text of notes', () => {
    const text = `
.. _steeping:

========
Steeping
========

Green tea is steeped for two minutes, in
water that does not boil.

How long
~~~~~~~~

.. note::

   Black tea takes four minutes.

.. tip:: Warm the pot first.

.. code-block:: python
   :emphasize-lines: 2

   tea.steep(minutes=2)

   tea.pour()

Do it like this::

    steep --minutes 2

.. list-table::
   * - tea
     - minutes

Gyokuro
    A tea that is steeped
    in cool water.

* Oolong is steeped several times.
#. White tea is steeped longest.
`;
    expect(paragraphsOf(text).map((paragraph) => paragraph.text)).toEqual([
      'Green tea is steeped for two minutes, in water that does not boil.',
      'Black tea takes four minutes.',
      'Warm the pot first.',
      'Do it like this::',
      'Gyokuro',
      'A tea that is steeped in cool water.',
      'Oolong is steeped several times.',
      'White tea is steeped longest.',
    ]);
  });

  test('of Markdown are without headings, code, tables and containers', () => {
    const text =
      'Tea\n===\n\nFirst one.\n\n# Two\n~~~ts\nconst tea = 1;\n~~~\n:::{note}\nSecond one.\n:::\n| a | b |\n|---|---|\n\n1. Third\n   one.\n\n<div>\n\n---\n';
    expect(paragraphsOf(text)).toEqual([
      { text: 'First one.', heading: 'Tea' },
      { text: 'Second one.', heading: 'Two' },
      { text: 'Third one.', heading: 'Two' },
    ]);
  });

  test('stand in the text as they are, but for white space, and take no long time', () => {
    const lines = fc.constantFrom(
      'Green tea is steeped.',
      '   indented words',
      '- an item',
      '> a quote',
      '----',
      '~~~~~~~~~~~~~~~~~~~~~~~~~',
      '```',
      '.. note:: words',
      '.. code:: ts',
      'Title',
      'ends with::',
      ':option: value',
      '',
      '| a |',
    );
    const flat = (text: string) => text.replace(/\s+/g, ' ');
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 30 }), (parts) => {
        const text = parts.join('\n');
        for (const paragraph of paragraphsOf(text)) expect(flat(text)).toContain(flat(paragraph.text));
      }),
    );
    expect(paragraphsOf(`${'.. '.repeat(50_000)}\n${'`'.repeat(50_000)}`)).toEqual([]);
  });
});

test.each([
  ['Read more in :ref:`this section <ray-for-ml-infra>`.', 'Read more in the next section.'],
  ['See the [guide](https://example.com/guide) for more.', 'See the guide for more.'],
  ['Monitoring and logging of metrics', 'Metrics are monitored and logged.'],
  ['and is then steeped for two minutes.', 'It is then steeped for two minutes.'],
])('%s reads worse than: %s', (noisy, plain) => {
  expect(readability(noisy)).toBeLessThan(readability(plain));
  expect(readability(plain)).toBe(1);
});

test.each([
  ['class Report(Callback): def on_end(self, trainer, module): x = {k: v for k, v in m.items()}', false],
  ['To install the libraries, use ``pip`` or ``conda``.', true],
  ['Call `ray.init(num_cpus=4)` to start a cluster.', true],
  ['The lamp on the **jetty** is lit at [dusk](https://example.com/?a=1&b=[2]) by the last.', true],
  ['**x** = f(**kwargs) or [a](b)[c](d)[e](f) and more of it', false],
  ['two words', false],
])('%s: prose %s', (text, expected) => {
  expect(isProse(text)).toBe(expected);
});
