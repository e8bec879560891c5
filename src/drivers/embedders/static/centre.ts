/**
 * What all pieces of the bundled model have in common: the mean of their rows, in 32-bit numbers. It needs the whole
 * vocabulary, which takes a model minutes; with it in hand, each row can be made when its piece first occurs.
 */
const bytes = Buffer.from(
  'zR96vk/IsD5l8+69KomYPPOdmL4TfUG+xGD1PtMVKT0tRgw+CzrBPJoWOz5/t7++sSeJPQX6ojy9eWq+lRIRPnTLBz6cqMg8Dztd' +
    'vo020L0Ia1G/spVPPtYOR71z2cM9acY6PnOtIz6247i9xPYXPlHIbj4weWG+gfjQvWn2Gj1AK/Y9pRsivcMmyr0msKG7yojaPeMc' +
    '8jy6ssc7HiOvPLGAaL6em5i+VIi8PVjDyz0jlr+95MUSPksKgz3W2rs9RqAbPvTnhT7+mj48f/UIvg15Gr1DcvA94NrTPSL6tD1u' +
    'cBC+RzOXPZM4gT33H1i9bTy8PcJCuz2wmOi+UOi+vsca2j4sM/m9fFEjPTL9uz0HYbM936wEPuXOUb0cwT09gvzuPfVevr1++g68' +
    'nkH9vVUHej0SPla+WsnPPtnT0zzW6SA+2ezKPCXoKr6o9mo+NzldvYjsAbwFFtU9L8xbPf0kLTwLAkk9GFfSvRo90rx7c1Q954Rf' +
    'Pdd5IL+5N6g95b4vuxd6Ir4R2gK//OF+vQ+Bir2ZezM+NS59vn8FY75EgdW9ZaoFvltyTr055y49Y4qwPb7Twj0B7ja+XGGmvXsP' +
    'qb4iWAM9H3MoPg5QuTzuVWo9G/2JPZ2X7b4Ctog9xBO2PRfJJT3a/jW+pykgPtBXXb4WECI9PA/xPIKWE4l1JBQ+iFmAvIsW4j3+' +
    'jY2+e6kAvdNmQj2sW6a79+m3vfI9lr7CaOM97AuVPJR6SL3VnAm+biB8vnBtmj68Ux8+us2APnjI4j6m6Dm9BRIJvmamnL3GPpc+' +
    'hFUmvDxk/z1IQRQ+JUo2vlWi7bjLlyW+qV4LPZ0w6T4He34+Me6tPCOjgr6JLQM+ffEpvfqVyz3cuO28VOVYvsL7GL2tLQm8Q3DP' +
    'vQ+Mcr3Wlxs+AGBgPdaTiD2WB9s97Z0GPn6ZPj7BvE892GdVPav5M7038Ae9/enDvaz/RLzs9f05U3t4vUv9Cz589h4+LeNAvEQy' +
    'sz3QOIY+nTtaPz7VDr2IMjy+EHxfPef2nr57vdA9LwEdvq2yPD7INBO9y3O5vQe9abyIba8+V8iIPppPK77hCrm8yrX7PTlhH72G' +
    'wFu+IGdgvcZxB74zt6y9PCRaveE0izz6Hr89klgwPjDjMrw5LI++ygIwPiF7CD6KGeq+uMuAvFfHRD7yAEE+FR42vtu8FgoqaA8+' +
    'AUwJPRKqij5wp/8+dZKIPc4PHLtmwKq9L/ZcPnx35bzRWb+9qDrLPXNUa74H+4Q+NL8IvrI4Pj6r8tA9T0SwPsS88Tyw5NW9+rKE' +
    'PabHpb755yu+DzvLupcdnL5gzs+9mmDKPi3Eyz45dIE+uDohvlAsVj00CIA+elcsvhCrhL7W5Ik+mI+avekiGj8QvHE9Klx9PvDS' +
    'Db7hqog+PlIPPB2bk73zW1w+ScwEPx6dRz3n8I+8LJ7qPK9Kaj7CXHQ+V3X+PdKKk71wkEA+gszaPGJ+Br7UZPg98rp1vmUqS77C' +
    'CKU9KxcTPrIgSDwSD6M9JWpgPWxi970hrAs+QmUJPRHd9Tss80O+m9PsO7/sdz1Gy5G8NpjxPUQEqz24pAC/nRvGvrgmVL3JREQ8' +
    'Ko6kPD2rvDwarrc9PjzPPQtLkr62pJm8vOvvPKpXTz7DVDU+8BfUvQeZ2D72phE+yNOzPfmyWL15npo9ng2LPuNYCD5MpIe+XTot' +
    'Ps0Wu7MkAsm7KQfaPealu75tbVK8Ss7GPfS2wD2itqQ7FFAVPpNRI72tMpE+tBWIPQ/YIL0rvmS8AG40PuTSXD4gU4q9YWeUvVAS' +
    'pL3xEuq+ysyCPYoKJb1pgTw91ybePYqblTzWWSo9o7DKO1j1N7wXGNk+mTIkvYpHPz5XbMg9GQ16PlZxGL6416y+XSeBviuTF74m' +
    'LFY9rPwZPcdpY71WvIW8BHroPXlDWrxB32E+VBbEPMrqUb4CoVo9wHisPVhy/bsi8N87ZooDviW4wL0NT8q9ApkMPvBzLz50eZg8' +
    'UDLDvSKrgj0A3Kc9Piakvsd3Gz5/FCo/+fcjO62l5z4/Q7S+',
  'base64',
);

export const centre = Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
