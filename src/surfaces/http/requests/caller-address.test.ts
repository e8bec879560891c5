import { expect, test } from 'vitest';
import { addressGroup } from './caller-address.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['127.0.0.1', '127.0.0.1'],
  ['127.9.8.7', '127.0.0.1'],
  ['::ffff:127.0.0.2', '127.0.0.1'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, ''],
])('the address %s counts as %s', (remoteAddress, group) => {
  expect(addressGroup({ remoteAddress })).toBe(group);
});
