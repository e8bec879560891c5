/**
 * Whom an address stands for: itself, or, where one caller has whole networks of them, the network: an IPv6 customer, and every
 * program of this machine, which may call from any address of loopback.
 */
export function addressGroup({
  remoteAddress = '',
}: {
  readonly remoteAddress?: string | undefined;
}): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(remoteAddress)?.[1] ?? remoteAddress;
  if (mapped.startsWith('127.')) return '127.0.0.1';
  if (!mapped.includes(':')) return mapped;
  const [before = '', after = ''] = mapped.split('::');
  const parts = (text: string): string[] => text.split(':').filter((part) => part !== '');
  const missing = 8 - parts(before).length - parts(after).length;
  const all = [...parts(before), ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...parts(after)];
  return `${all.slice(0, 4).join(':')}::/64`;
}
